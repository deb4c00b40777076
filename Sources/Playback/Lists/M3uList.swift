/// Reads M3U and M3U8: a path a line, with `#EXTINF:SECONDS,TITLE` before it where somebody wrote one. [any]
enum M3uList {
  /// The entries of a list.
  static func read(_ bytes: [UInt8], called list: String, kind: ListKind, _ limits: ListLimits) -> ReadList {
    var result = ReadList()
    var title: String?
    var length: Double?
    for (number, text) in ListText.lines(bytes, isLatin: kind == .m3u) {
      guard let text else {
        result.report(
          ListError(.line, path: "line \(number)", in: list, line: number, reason: "it is not UTF-8"), limits)
        continue
      }
      guard text.utf8.count <= limits.text else {
        result.report(.longLine(number, of: list, limits), limits)
        continue
      }
      if text.hasPrefix("#") {
        if let entry = information(text) { (length, title) = entry }
      } else if !text.isEmpty {
        guard result.entries.count < limits.tracks else {
          result.report(.tooManyTracks(in: list, line: number, limits), limits)
          break
        }
        result.entries.append(ListEntry(location: text, title: title, length: length, line: number))
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
