import Glibc
import System

/// What arrives at standard input, read to its end: the lines of a list, or a sound. [one]
///
/// Text is a list, as `find` or `ls` write it, or a whole M3U, PLS or XSPF; paths in it are relative to the working
/// folder. Anything else is taken for the bytes of one audio file. They are kept in a file without a name, in `TMPDIR` or
/// `/tmp`, for players go back and forth; what is a regular file already is played where it lies.
struct StandardInput {
  /// What messages and the player call it.
  static let name = "standard input"

  enum Content {
    case list([UInt8])
    /// An audio file that can be opened by this path as long as the process lives.
    case sound(path: String)
  }

  /// Reads all of it. A list may have at most `most` bytes.
  static func read(most: Int) throws(ListError) -> Content {
    var bytes: [UInt8] = []
    while bytes.count < 512 {
      let piece = try next(512)
      if piece.isEmpty { break }
      bytes += piece
    }
    return isText(bytes) ? .list(try list(bytes, most: most)) : .sound(path: try sound(bytes))
  }

  /// Whether nothing in the beginning is a control character that no line of text has; all audio files have some.
  private static func isText(_ bytes: [UInt8]) -> Bool {
    bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
      && !bytes.starts(with: [0xFF])
  }

  private static func list(_ first: [UInt8], most: Int) throws(ListError) -> [UInt8] {
    var bytes = first
    while true {
      let piece = try next(65_536)
      if piece.isEmpty { return bytes }
      bytes += piece
      guard bytes.count <= most else {
        throw ListError(.tooLarge, path: name, reason: "at most \(most) bytes")
      }
    }
  }

  private static func sound(_ first: [UInt8]) throws(ListError) -> String {
    if RegularFile.isRegular(STDIN_FILENO),
      lseek(STDIN_FILENO, 0, SEEK_CUR) == off_t(first.count)
    {
      return "/proc/self/fd/\(STDIN_FILENO)"
    }
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(folder)/visgraph-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    guard file >= 0 else { throw fault(Errno()) }
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    unlink(template)
    var piece = first
    while !piece.isEmpty {
      if let error = Descriptor.write(piece, to: file) { throw fault(error) }
      piece = try next(1 << 20)
    }
    return "/proc/self/fd/\(file)"
  }

  /// Some bytes more; none at the end.
  private static func next(_ most: Int) throws(ListError) -> [UInt8] {
    do throws(Errno) {
      return try Descriptor.readSome(most, from: STDIN_FILENO)
    } catch {
      throw fault(error)
    }
  }

  private static func fault(_ error: Errno) -> ListError {
    ListError(.unreadable, path: name, reason: error.text)
  }
}
