/// Makes text from untrusted files safe for a terminal and for a comment of one line.
enum FileText {
  /// A key or value for messages: without control characters and bidirectional marks, at most `most` characters long.
  static func shown(_ text: String, most: Int = 60) -> String {
    var result = String.UnicodeScalarView()
    var count = 0
    for scalar in text.unicodeScalars {
      guard count < most else { return String(result) + "…" }
      count += 1
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: result.append(" ")
      case .format, .surrogate, .unassigned, .privateUse: continue
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  /// The last part of a path.
  static func lastPart(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// The folder that a path lies in; `.` where it has none.
  static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The last part of a path without its ending.
  static func stem(of path: String) -> String {
    let name = lastPart(of: path)
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }
}

extension String {
  /// The text without white space at both ends.
  var trimmed: String {
    let rest = unicodeScalars.drop { $0.properties.isWhitespace }
    return String(String.UnicodeScalarView(rest.reversed().drop { $0.properties.isWhitespace }.reversed()))
  }
}
