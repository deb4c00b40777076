/// Reads M3U and M3U8: one path per line, preceded by an optional `#EXTINF:SECONDS,TITLE`. [any]
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

  /// Length and title of a line `#EXTINF:123 key="value",Title`; nil for any other comment.
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
    // Entries with the same number stay in the order of their lines.
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
