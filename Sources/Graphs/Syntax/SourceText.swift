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

  /// What messages call standard input.
  public static let standardInput = "<stdin>"

  /// Reads what arrives at standard input, to its end; files it names are relative to the working folder. [control]
  public static func readStandardInput() -> Result<SourceText, Diagnostic> {
    read(
      from: STDIN_FILENO, path: standardInput, called: standardInput, as: "a graph file",
      most: Limits.fileBytes)
  }

  /// Reads a file; folders, devices, pipes and files above `Limits.fileBytes` are refused unread. [control]
  public static func read(path: String) -> Result<SourceText, Diagnostic> {
    read(path: path, as: "a graph file", most: Limits.fileBytes)
  }

  /// The same for another kind of file, with at most `most` bytes; `noun` is what sentences call the kind, and `name` the
  /// file.
  static func read(path: String, called name: String? = nil, as noun: String, most: Int) -> Result<
    SourceText, Diagnostic
  > {
    let name = name ?? path
    // Non-blocking, so that a pipe nobody writes to cannot hold us.
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return .failure(.unreadable(name, errno)) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { return .failure(.unreadable(name, errno)) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: return .failure(.isFolder(name, noun))
    default: return .failure(.notRegular(name, noun))
    }
    guard status.st_size <= most else { return .failure(.tooLarge(name, noun)) }
    return read(from: file, path: path, called: name, as: noun, most: most, expecting: Int(status.st_size))
  }

  /// Reads all that is left of an open file, of which there may be `most` bytes.
  private static func read(
    from file: Int32, path: String, called name: String, as noun: String, most: Int, expecting: Int = 0
  ) -> Result<SourceText, Diagnostic> {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: min(most, max(expecting, 4095)) + 1)
    while bytes.count <= most {
      let got = Glibc.read(file, &piece, min(piece.count, most + 1 - bytes.count))
      if got < 0 && errno == EINTR { continue }
      guard got >= 0 else { return .failure(.unreadable(name, errno)) }
      if got == 0 { break }
      bytes += piece[..<got]
    }
    guard bytes.count <= most else { return .failure(.tooLarge(name, noun)) }
    return .success(SourceText(path: path, bytes: bytes))
  }

  /// The folder the file lies in, without a slash at the end.
  public var folder: String { Self.folder(of: path) }

  static func folder(of path: String) -> String {
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
