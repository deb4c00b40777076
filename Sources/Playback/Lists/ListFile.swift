import System

/// The bytes of a list. [any]
enum ListFile {
  /// All of a regular file of at most so many bytes.
  static func bytes(of path: String, most: Int) throws(ListError) -> [UInt8] {
    do throws(RegularFile.Refusal) {
      return try RegularFile.bytes(of: path, most: most)
    } catch {
      switch error {
      case .system(let error): throw ListError(.unreadable, path: path, reason: error.text)
      case .folder, .notRegular: throw ListError(.notAFile, path: path)
      case .tooLarge: throw ListError(.tooLarge, path: path, reason: "at most \(most) bytes")
      }
    }
  }

  /// How a file begins; nothing where it cannot be read.
  static func beginning(of path: String) -> [UInt8] {
    (try? RegularFile(path))?.bytes(at: 0, count: 512) ?? []
  }
}

/// The lines of a list, whatever writes them. [any]
enum ListText {
  /// A line: its number from 1, and its text; nil where it is not text.
  typealias Line = (number: Int, text: String?)

  /// The bytes without the mark that says UTF-8.
  static func withoutMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
  }

  /// The lines, ended by LF, CR LF or CR, without spaces at both ends.
  ///
  /// - Parameter isLatin: whether a line that is not UTF-8 is in the character set of western Windows.
  static func lines(_ bytes: [UInt8], isLatin: Bool) -> [Line] {
    if let wide = utf16(bytes) { return lines(Array(wide.utf8), isLatin: false) }
    var lines: [Line] = []
    let text = withoutMark(bytes)
    var start = text.startIndex
    var number = 1
    while start < text.endIndex {
      let end = text[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? text.endIndex
      if end > start { lines.append((number, decoded(trimmed(text[start..<end]), isLatin: isLatin))) }
      guard end < text.endIndex else { break }
      start = end + 1
      if text[end] == 0x0D, start < text.endIndex, text[start] == 0x0A { start += 1 }
      number += 1
    }
    return lines
  }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    guard let first = line.firstIndex(where: { !isSpace($0) }),
      let last = line.lastIndex(where: { !isSpace($0) })
    else { return [] }
    return line[first...last]
  }

  private static func decoded(_ line: ArraySlice<UInt8>, isLatin: Bool) -> String? {
    if let text = String(validating: line, as: UTF8.self) { return text }
    guard isLatin else { return nil }
    var text = String.UnicodeScalarView()
    for byte in line {
      let value = (0x80...0x9F).contains(byte) ? windows[Int(byte) - 0x80] : UInt32(byte)
      text.append(Unicode.Scalar(value) ?? "?")
    }
    return String(text)
  }

  /// What Windows-1252 has where ISO 8859-1 has nothing to print (unicode.org, CP1252.TXT).
  private static let windows: [UInt32] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152,
    0x8D,
    0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161,
    0x203A,
    0x0153, 0x9D, 0x017E, 0x0178,
  ]

  /// A text with the mark of UTF-16, as some editors save it.
  private static func utf16(_ bytes: [UInt8]) -> String? {
    let isLittle = bytes.starts(with: [0xFF, 0xFE])
    guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else { return nil }
    let units = stride(from: 2, to: bytes.count - 1, by: 2).map { place in
      let (one, other) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      return isLittle ? other << 8 | one : one << 8 | other
    }
    return String(decoding: units, as: UTF16.self)
  }
}

/// How much is taken from folders and lists: far more than anybody has, far less than hurts.
public struct ListLimits: Equatable, Sendable {
  /// Tracks in all.
  public var tracks = 100_000
  /// Entries of folders that are looked at in all, whatever they are.
  public var entries = 1_000_000
  /// Folders that lie inside each other.
  public var depth = 32
  /// Lists that name each other.
  public var nesting = 8
  /// Bytes of one list.
  public var bytes = 16 << 20
  /// Bytes of one line, or of one text of an XSPF list.
  public var text = 8192
  /// Faults that are kept; the last then says how many there were besides.
  public var faults = 1000

  /// The usual ones.
  public init() {}
}
