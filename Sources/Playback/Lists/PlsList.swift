/// Reads PLS: `FileN=`, `TitleN=` and `LengthN=` in any order. [any]
enum PlsList {
  /// The entries of a list, in the order of their numbers.
  static func read(_ bytes: [UInt8], called list: String, _ limits: ListLimits) -> ReadList {
    var result = ReadList()
    var files: [(number: Int, entry: ListEntry)] = []
    var titles: [Int: String] = [:]
    var lengths: [Int: Double] = [:]
    for (number, text) in ListText.lines(bytes, isLatin: true) {
      guard let text, !text.isEmpty, !text.hasPrefix("["), !text.hasPrefix(";"), !text.hasPrefix("#") else {
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
        titles[place] = value
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
