import System

/// The bytes of a list. [any]
enum ListFile {
  /// Reads a regular file of at most so many bytes.
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

  /// The first 512 bytes of a file; empty if it cannot be read.
  static func beginning(of path: String) -> [UInt8] {
    (try? RegularFile(path))?.bytes(at: 0, count: 512) ?? []
  }
}

/// The lines of a list in any encoding. [any]
enum ListText {
  /// A line: its number from 1, and its text. Bytes that are not UTF-8 are escaped as by `FileName`.
  typealias Line = (number: Int, text: String)

  /// The bytes without a UTF-8 byte order mark.
  static func withoutMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
  }

  /// The lines, which end in LF, CR LF or CR, without white space at both ends. Empty lines are left out.
  static func lines(_ bytes: [UInt8]) -> [Line] {
    if let wide = utf16(bytes) { return lines(Array(wide.utf8)) }
    var lines: [Line] = []
    let text = withoutMark(bytes)
    var start = text.startIndex
    var number = 1
    while start < text.endIndex {
      let end = text[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? text.endIndex
      if end > start { lines.append((number, FileName.text(Array(trimmed(text[start..<end]))))) }
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

  /// Guesses the character set of the lines that are not UTF-8.
  static func charset(of lines: [Line]) -> Charset {
    Charset(guessedFrom: lines.lazy.filter { FileName.isForeign($0.text) }.map { FileName.bytes($0.text) })
  }

  /// A text as Unicode; one that is not UTF-8 is decoded by `charset`.
  static func text(_ text: String, in charset: Charset) -> String {
    FileName.isForeign(text) ? charset.text(FileName.bytes(text)) : text
  }

  /// Decodes a text with a UTF-16 byte order mark, as some editors write it; nil for others.
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
