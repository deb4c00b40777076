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
  /// A line: its number from 1, and its text; what is not UTF-8 in it is kept as `FileName` keeps it.
  typealias Line = (number: Int, text: String)

  /// The bytes without the mark that says UTF-8.
  static func withoutMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
  }

  /// The lines, ended by LF, CR LF or CR, without spaces at both ends.
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

  /// The character set of a list's lines that are not UTF-8.
  static func charset(of lines: [Line]) -> Charset {
    Charset(guessedFrom: lines.lazy.filter { FileName.isForeign($0.text) }.map { FileName.bytes($0.text) })
  }

  /// A text as it can be read, in a character set where it is not UTF-8.
  static func text(_ text: String, in charset: Charset) -> String {
    FileName.isForeign(text) ? charset.text(FileName.bytes(text)) : text
  }

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

/// Reads M3U and M3U8: a path a line, with `#EXTINF:SECONDS,TITLE` before it where somebody wrote one. [any]
enum M3uList {
  /// The entries of a list.
  static func read(_ bytes: [UInt8], called list: String, kind: ListKind, _ limits: ListLimits) -> ReadList {
    var result = ReadList()
    var title: String?
    var length: Double?
    let lines = ListText.lines(bytes)
    let charset = ListText.charset(of: lines)
    for (number, text) in lines {
      guard text.utf8.count <= limits.text else {
        result.report(.longLine(number, of: list, limits), limits)
        continue
      }
      if text.hasPrefix("#EXT-X-") {
        var refused = ReadList()
        refused.report(ListError(.stream, path: list), limits)
        return refused
      }
      if text.hasPrefix("#") {
        if let entry = information(text) { (length, title) = entry }
      } else if !text.isEmpty {
        guard result.entries.count < limits.tracks else {
          result.report(.tooManyTracks(in: list, line: number, limits), limits)
          break
        }
        result.entries.append(
          ListEntry(
            location: text, title: title.map { ListText.text($0, in: charset) }, length: length, line: number)
        )
        (title, length) = (nil, nil)
      }
    }
    return result
  }

  /// What `#EXTINF:123 key="value",Title` says.
  private static func information(_ line: String) -> (length: Double?, title: String?)? {
    guard line.prefix(8).lowercased() == "#extinf:" else { return nil }
    let rest = line.dropFirst(8)
    var isQuoted = false
    let comma = rest.firstIndex { character in
      if character == "\"" { isQuoted.toggle() }
      return character == "," && !isQuoted
    }
    let figure = rest[..<(comma ?? rest.endIndex)].prefix { $0 != " " && $0 != "\t" }
    let length = Double(figure).flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    let title = comma.map { rest[rest.index(after: $0)...].drop { $0 == " " } }
    return (length, title.flatMap { $0.isEmpty ? nil : String($0) })
  }
}

/// Reads PLS: `FileN=`, `TitleN=` and `LengthN=` in any order. [any]
enum PlsList {
  /// The entries of a list, in the order of their numbers.
  static func read(_ bytes: [UInt8], called list: String, _ limits: ListLimits) -> ReadList {
    var result = ReadList()
    var files: [(number: Int, entry: ListEntry)] = []
    var titles: [Int: String] = [:]
    var lengths: [Int: Double] = [:]
    let lines = ListText.lines(bytes)
    let charset = ListText.charset(of: lines)
    for (number, text) in lines {
      guard !text.isEmpty, !text.hasPrefix("["), !text.hasPrefix(";"), !text.hasPrefix("#") else {
        continue
      }
      guard text.utf8.count <= limits.text else {
        result.report(.longLine(number, of: list, limits), limits)
        continue
      }
      guard let equals = text.firstIndex(of: "=") else {
        result.report(
          ListError(.line, path: String(text.prefix(60)), in: list, line: number, reason: "it has no ="),
          limits)
        continue
      }
      let key = text[..<equals].lowercased().filter { $0 != " " }
      let value = String(text[text.index(after: equals)...].drop { $0 == " " })
      func count(_ word: String) -> Int? { key.hasPrefix(word) ? Int(key.dropFirst(word.count)) : nil }
      guard files.count < limits.tracks, titles.count < limits.tracks, lengths.count < limits.tracks else {
        result.report(.tooManyTracks(in: list, line: number, limits), limits)
        break
      }
      if let place = count("file"), !value.isEmpty {
        files.append((place, ListEntry(location: value, line: number)))
      } else if let place = count("title"), !value.isEmpty {
        titles[place] = ListText.text(value, in: charset)
      } else if let place = count("length"), let seconds = Double(value), seconds.isFinite, seconds > 0 {
        lengths[place] = seconds
      }
    }
    // Two of one number stay in the order they are written.
    let ordered = files.enumerated().sorted {
      ($0.element.number, $0.offset) < ($1.element.number, $1.offset)
    }
    result.entries = ordered.map { _, file in
      var entry = file.entry
      entry.title = titles[file.number]
      entry.length = lengths[file.number]
      return entry
    }
    return result
  }
}
