import Glibc
import System

/// The bytes of a graph file, with its name in messages.
public struct SourceText: Sendable {
  /// The path as the user gave it.
  public let path: String
  /// The text without a byte order mark; not checked to be UTF-8.
  public let bytes: [UInt8]
  /// Whether the file begins with a byte order mark.
  private let hasMark: Bool
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Takes bytes that are in memory.
  public init(path: String, bytes: [UInt8]) {
    self.path = path
    hasMark = bytes.starts(with: Self.byteOrderMark)
    self.bytes = hasMark ? Array(bytes.dropFirst(Self.byteOrderMark.count)) : bytes
  }

  private init(path: String, bytes: [UInt8], hasMark: Bool) {
    (self.path, self.bytes, self.hasMark) = (path, bytes, hasMark)
  }

  /// The same file with other bytes.
  func with(_ bytes: [UInt8]) -> SourceText { SourceText(path: path, bytes: bytes, hasMark: hasMark) }

  /// The bytes of the file, with its byte order mark.
  public var fileBytes: [UInt8] { hasMark ? Self.byteOrderMark + bytes : bytes }

  /// Takes a text that is in memory.
  public init(path: String, text: String) {
    self.init(path: path, bytes: Array(text.utf8))
  }

  /// The name of standard input in messages.
  public static let standardInput = "<stdin>"

  /// Reads standard input to its end. File names in it are relative to the working directory. [control]
  public static func readStandardInput() -> Result<SourceText, Diagnostic> {
    do throws(Errno) {
      guard let bytes = try Descriptor.readAll(from: STDIN_FILENO, most: Limits.fileBytes) else {
        return .failure(.tooLarge(standardInput, "a graph file", most: Limits.fileBytes))
      }
      return .success(SourceText(path: standardInput, bytes: bytes))
    } catch {
      return .failure(.unreadable(standardInput, error.number))
    }
  }

  /// Reads a file. Folders, devices, pipes and files above `Limits.fileBytes` are refused before reading. [control]
  public static func read(path: String) -> Result<SourceText, Diagnostic> {
    read(path: path, as: "a graph file", most: Limits.fileBytes)
  }

  /// Reads a file of at most `most` bytes. In messages `noun` is the kind of file and `name` the file.
  static func read(path: String, called name: String? = nil, as noun: String, most: Int) -> Result<
    SourceText, Diagnostic
  > {
    let name = name ?? path
    do throws(RegularFile.Refusal) {
      return .success(SourceText(path: path, bytes: try RegularFile.bytes(of: path, most: most)))
    } catch {
      switch error {
      case .system(let error): return .failure(.unreadable(name, error.number))
      case .folder: return .failure(.isFolder(name, noun))
      case .notRegular: return .failure(.notRegular(name, noun))
      case .tooLarge: return .failure(.tooLarge(name, noun, most: most))
      }
    }
  }

  /// The folder of the file, without a final slash.
  public var folder: String { Self.folder(of: path) }

  package static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The file's name without its extension.
  public var title: String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }
}

/// The starts of the lines of a text. Line breaks are those of YAML 1.1: LF, CR, CR LF, NEL, LS and PS.
struct Lines {
  private let bytes: [UInt8]
  private var starts = [0]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    bytes.withUnsafeBufferPointer { text in
      var index = 0
      while index < text.count {
        let length = Lines.breakLength(text, at: index)
        index += max(length, 1)
        if length > 0 { starts.append(index) }
      }
    }
  }

  /// The length in bytes of the line break at `index`; 0 without one.
  private static func breakLength(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    let byte = text[index]
    if byte == 0x0A { return 1 }
    if byte == 0x0D { return index + 1 < text.count && text[index + 1] == 0x0A ? 2 : 1 }
    if byte == 0xC2 { return index + 1 < text.count && text[index + 1] == 0x85 ? 2 : 0 }
    guard byte == 0xE2, index + 2 < text.count, text[index + 1] == 0x80 else { return 0 }
    return text[index + 2] == 0xA8 || text[index + 2] == 0xA9 ? 3 : 0
  }

  /// A line by its number from 1, without its line break; nil past the last.
  ///
  /// Invalid UTF-8 becomes U+FFFD.
  subscript(number: Int) -> String? {
    guard number >= 1, number <= starts.count else { return nil }
    let end = number < starts.count ? starts[number] : bytes.count
    var line = String(decoding: bytes[starts[number - 1]..<end], as: UTF8.self).unicodeScalars
    while let last = line.last, "\n\r\u{85}\u{2028}\u{2029}".unicodeScalars.contains(last) {
      line.removeLast()
    }
    return String(line)
  }

  /// The byte offset of a line and column, both from 1, columns in code points; nil where there is none. The end of a
  /// line and each code point of its line break have columns, too, so the last one is the start of the next line.
  func offset(line: Int, column: Int) -> Int? {
    guard line >= 1, line <= starts.count, column >= 1 else { return nil }
    let end = line < starts.count ? starts[line] : bytes.count
    var (index, left) = (starts[line - 1], column - 1)
    while left > 0 {
      guard index < end else { return nil }
      index += 1
      while index < end, bytes[index] & 0xC0 == 0x80 { index += 1 }
      left -= 1
    }
    return index
  }

  /// The line and column of a byte offset.
  func place(of offset: Int) -> SourceRange {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    let before = String(decoding: bytes[starts[low]..<min(offset, bytes.count)], as: UTF8.self)
    let column = before.unicodeScalars.count + 1
    return SourceRange(line: low + 1, column: column, endLine: low + 1, endColumn: column + 1)
  }
}
