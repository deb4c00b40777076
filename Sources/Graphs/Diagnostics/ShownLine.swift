/// A line of a file as a terminal shows it, and what goes beneath to point at a part of it.
struct ShownLine {
  /// The line: tabs as spaces, nothing that moves the cursor, the part pointed at in sight.
  var text = ""
  /// Spaces and carets.
  var underline = ""

  /// Columns that are shown of a long line.
  private static let most = 100

  init(_ line: String, _ mark: Mark) {
    let scalars = Array(line.unicodeScalars)
    let first = min(mark.column - 1, scalars.count)
    let last = mark.endLine == mark.line ? min(mark.endColumn - 1, scalars.count) : scalars.count
    var start = 0
    if first > Self.most * 3 / 4 { start = first - Self.most / 2 }
    let end = min(scalars.count, start + Self.most)
    if start > 0 { add("…", width: 1, pointed: false) }
    for index in start..<end {
      add(scalars[index], pointed: index >= first && index < max(last, first + 1))
    }
    if end < scalars.count { text += "…" }
    while underline.hasSuffix(" ") { underline.removeLast() }
    if !underline.contains("^") {
      underline = String(repeating: " ", count: Self.width(of: text)) + "^"
    }
    while text.hasSuffix(" ") { text.removeLast() }
  }

  private mutating func add(_ scalar: Unicode.Scalar, pointed: Bool) {
    if scalar == "\t" {
      let column = Self.width(of: text)
      let width = 4 - column % 4
      add(String(repeating: " ", count: width), width: width, pointed: pointed)
    } else if scalar.isSafeToShow {
      add(String(scalar), width: scalar.displayWidth, pointed: pointed)
    } else {
      add("\u{FFFD}", width: 1, pointed: pointed)
    }
  }

  private mutating func add(_ string: String, width: Int, pointed: Bool) {
    text.unicodeScalars += string.unicodeScalars
    underline += String(repeating: pointed ? "^" : " ", count: width)
  }

  private static func width(of text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + $1.displayWidth }
  }
}
