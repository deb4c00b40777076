import System

/// Text in the columns of a terminal: width, cut, wrap.
enum DisplayedText {
  /// Makes a text safe for a terminal: control characters and line separators, which would move the cursor, become
  /// spaces. Format characters (writing direction, joiners), variation selectors, and private and unassigned code
  /// points are removed, because they change the width.
  static func safe(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in FileName.shown(text).unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: result.append(" ")
      case .format, .surrogate, .unassigned, .privateUse: continue
      default:
        if !(0xFE00...0xFE0F).contains(scalar.value) { result.append(scalar) }
      }
    }
    return String(result)
  }

  /// The number of columns of a text that `safe` returned.
  static func width(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.unicodeScalars.reduce(0) { $0 + width($1) }
  }

  /// The text in at most `columns` columns; `ellipsis` replaces the end of a longer one.
  static func fitted(_ text: String, _ columns: Int, ellipsis: String) -> String {
    if width(text) <= columns { return text }
    let room = columns - width(ellipsis)
    guard room >= 0 else { return "" }
    return prefix(text, room) + ellipsis
  }

  /// The beginning of the text that fits into `columns` columns.
  static func prefix(_ text: String, _ columns: Int) -> String {
    var used = 0
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      used += width(scalar)
      if used > columns { break }
      result.append(scalar)
    }
    return String(result)
  }

  /// The text wrapped at spaces into lines of at most `columns` columns; longer words are cut where `columns` is above
  /// 1.
  static func wrapped(_ text: String, _ columns: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      var word = String(word)
      if !line.isEmpty, width(line) + 1 + width(word) <= columns {
        line += " " + word
        continue
      }
      if !line.isEmpty { lines.append(line) }
      while columns > 1, width(word) > columns {
        let head = prefix(word, columns)
        lines.append(head)
        word = String(String.UnicodeScalarView(word.unicodeScalars.dropFirst(head.unicodeScalars.count)))
      }
      line = word
    }
    return line.isEmpty ? lines : lines + [line]
  }

  private static func width(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }
  }

  /// Code points two columns wide: the wide blocks of Unicode Standard Annex #11, and emoji that terminals draw so.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x231A...0x231B, 0x23E9...0x23EC, 0x25FD...0x25FE, 0x2614...0x2615, 0x26A1...0x26A1,
    0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
    0x1F7E0...0x1F7EB,
    0x1F900...0x1FAFF, 0x20000...0x3FFFD,
  ]
}
