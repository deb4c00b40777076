/// A topic of the guide as plain text, wrapped at spaces: the Markdown that GRAPHS.md uses (headings, paragraphs, lists
/// with `-`, tables, code, links and bold type), without its marks.
struct GuideText {
  /// The maximum width of a line, in characters. Code and tables are not wrapped.
  private static let width = 80
  private(set) var text: String
  private var paragraph = ""
  private var table: [[String]] = []

  /// The heading and the text below it.
  init(_ topic: Guide.Topic) {
    text = topic.title + "\n\n"
    var isCode = false
    for line in topic.lines {
      if line.hasPrefix("```") {
        flush()
        isCode.toggle()
      } else if isCode {
        text += line.isEmpty ? "\n" : "    \(line)\n"
      } else {
        add(line)
      }
    }
    flush()
    while text.hasSuffix("\n\n") { text.removeLast() }
  }

  private mutating func add(_ line: Substring) {
    if line.hasPrefix("![") || line.hasPrefix("<!--") { return }
    if line.hasPrefix("|") {
      let cells = line.split(separator: "|").map { Self.plain(Self.trimmed($0)) }
      if !cells.allSatisfy({ $0.allSatisfy { $0 == "-" } }) { table.append(cells) }
      return
    }
    if line.isEmpty || line.hasPrefix("#") || line.hasPrefix("- ") { flush() }
    if line.isEmpty {
      if !text.hasSuffix("\n\n") { text += "\n" }
    } else if line.hasPrefix("#") {
      text += line.drop { $0 == "#" }.dropFirst() + "\n"
    } else {
      paragraph += (paragraph.isEmpty ? "" : " ") + line
    }
  }

  /// Writes the collected paragraph and table.
  private mutating func flush() {
    let indent = paragraph.hasPrefix("- ") ? "  " : ""
    var line = ""
    for word in Self.plain(paragraph).split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > Self.width {
        text += line + "\n"
        line = indent + word
      } else {
        line += (line.isEmpty ? "" : " ") + word
      }
    }
    if !line.isEmpty { text += line + "\n" }
    paragraph = ""
    writeTable()
  }

  /// Writes the rows of a table in aligned columns.
  private mutating func writeTable() {
    var widths: [Int] = []
    for row in table {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], cell.count)
      }
    }
    for row in table {
      var line = ""
      for (cell, width) in zip(row, widths) {
        line += "  " + cell + String(repeating: " ", count: width - cell.count)
      }
      while line.hasSuffix(" ") { line.removeLast() }
      text += line + "\n"
    }
    table = []
  }

  /// Text without the marks of links and bold type.
  private static func plain(_ text: String) -> String {
    var result = ""
    var rest = text.replacing("**", with: "")[...]
    while let open = rest.firstIndex(of: "[") {
      guard let middle = rest[open...].firstRange(of: "]("),
        let close = rest[middle.upperBound...].firstIndex(of: ")"),
        !rest[open..<middle.lowerBound].dropFirst().contains("[")
      else {
        result += rest[...open]
        rest = rest[rest.index(after: open)...]
        continue
      }
      result += rest[..<open] + rest[rest.index(after: open)..<middle.lowerBound]
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }

  private static func trimmed(_ text: Substring) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
