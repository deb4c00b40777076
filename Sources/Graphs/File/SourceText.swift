import Glibc

/// The bytes of a graph file and what they are called in messages.
public struct SourceText: Sendable {
  /// The path, as the user gave it.
  public let path: String
  /// The text, UTF-8 unless it is at fault, without a byte order mark.
  public let bytes: [UInt8]

  /// Takes a text that is already in memory.
  public init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
  }

  /// Takes a text that is already in memory.
  public init(path: String, text: String) {
    self.init(path: path, bytes: Array(text.utf8))
  }

  /// Reads a file; folders, devices, pipes and files above `Limits.fileBytes` are refused unread. [control]
  public static func read(path: String) -> Result<SourceText, Diagnostic> {
    // Non-blocking, so that a pipe nobody writes to cannot hold us.
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return .failure(.unreadable(path, errno)) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { return .failure(.unreadable(path, errno)) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: return .failure(.isFolder(path))
    default: return .failure(.notRegular(path))
    }
    guard status.st_size <= Limits.fileBytes else { return .failure(.tooLarge(path)) }
    var bytes = [UInt8](repeating: 0, count: Limits.fileBytes + 1)
    var count = 0
    while count < bytes.count {
      let got = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress! + count, $0.count - count) }
      if got < 0 && errno == EINTR { continue }
      guard got >= 0 else { return .failure(.unreadable(path, errno)) }
      if got == 0 { break }
      count += got
    }
    guard count <= Limits.fileBytes else { return .failure(.tooLarge(path)) }
    return .success(SourceText(path: path, bytes: Array(bytes[..<count])))
  }

  /// The folder the file lies in, without a slash at the end.
  public var folder: String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The file's name without its ending.
  public var title: String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }
}
