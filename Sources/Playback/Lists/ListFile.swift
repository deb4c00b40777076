import Glibc

/// The bytes of a list. [any]
enum ListFile {
  /// All of a regular file of at most so many bytes.
  static func bytes(of path: String, most: Int) throws(ListFault) -> [UInt8] {
    // Non-blocking, so that a pipe nobody writes to cannot hold us.
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else {
      throw ListFault(.unreadable, path: path, reason: String(cString: strerror(errno)))
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw ListFault(.notAFile, path: path)
    }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let got = Glibc.read(file, &piece, piece.count)
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else {
        throw ListFault(.unreadable, path: path, reason: String(cString: strerror(errno)))
      }
      if got == 0 { return bytes }
      bytes += piece[..<got]
      guard bytes.count <= most else {
        throw ListFault(.tooLarge, path: path, reason: "at most \(most) bytes")
      }
    }
  }

  /// How a file begins; nothing where it cannot be read.
  static func beginning(of path: String) -> [UInt8] {
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 512)
    let got = Glibc.read(file, &bytes, bytes.count)
    return got > 0 ? Array(bytes.prefix(got)) : []
  }
}
