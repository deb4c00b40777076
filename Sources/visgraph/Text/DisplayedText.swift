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
        if !scalar.properties.isVariationSelector { result.append(scalar) }
      }
    }
    return String(result)
  }

  /// The number of columns of a text that `safe` returned.
  static func width(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.unicodeScalars.reduce(0) { $0 + $1.displayWidth }
  }

  /// The text in at most `columns` columns; `ellipsis` replaces the end of a longer one.
  static func fitted(_ text: String, _ columns: Int, ellipsis: String) -> String {
    if width(text) <= columns { return text }
    let room = columns - width(ellipsis)
    guard room >= 0 else { return "" }
    return prefix(text, room) + ellipsis
  }

  /// The longest beginning of the text that fits into `columns` columns.
  static func prefix(_ text: String, _ columns: Int) -> String {
    var used = 0
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      used += scalar.displayWidth
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
      var rest = String(word)
      if !line.isEmpty, width(line) + 1 + width(rest) <= columns {
        line += " " + rest
        continue
      }
      if !line.isEmpty { lines.append(line) }
      while columns > 1, width(rest) > columns {
        let head = prefix(rest, columns)
        lines.append(head)
        rest = String(String.UnicodeScalarView(rest.unicodeScalars.dropFirst(head.unicodeScalars.count)))
      }
      line = rest
    }
    return line.isEmpty ? lines : lines + [line]
  }
}
