/// A text with slips of its author corrected, so that the rest can be checked. It keeps each change, to map places
/// back to the file as written, and a fault for each slip. [control]
struct MendedText {
  /// A change in one line: from `column` on there are `more` code points than in the file; fewer if negative.
  private struct Edit {
    let column: Int
    let more: Int
  }

  /// The most slips that are mended in one file.
  static let most = 20
  /// The largest text that is mended, in bytes. The text is parsed again for every slip.
  static let largest = 256 << 10

  /// The text with all changes so far.
  private(set) var source: SourceText
  /// The faults of the slips, with their places in the file as written.
  private(set) var faults: [Diagnostic] = []
  private var edits: [Int: [Edit]] = [:]
  private var count = 0

  /// Starts with an unchanged text.
  init(_ source: SourceText) { self.source = source }

  /// Whether one more slip may be mended.
  var hasRoom: Bool { count < Self.most && source.bytes.count <= Self.largest }

  /// The lines of the changed text.
  var lines: Lines { Lines(source.bytes) }

  /// Replaces `count` code points of a line, from a column on. Line and column are those of the changed text.
  mutating func replace(line: Int, column: Int, count old: Int, by text: String) {
    guard let start = lines.offset(line: line, column: column),
      let end = lines.offset(line: line, column: column + old), end <= source.bytes.count
    else { return }
    count += 1
    source = SourceText(
      path: source.path, bytes: Array(source.bytes[..<start]) + Array(text.utf8) + Array(source.bytes[end...])
    )
    let more = text.unicodeScalars.count - old
    if more != 0 { edits[line, default: []].append(Edit(column: column, more: more)) }
  }

  /// Replaces a line of `old` code points by `text`. `changes`: the columns, from 1, of the code points that differ,
  /// and the text in place of each.
  mutating func replace(line: Int, by text: String, of old: Int, _ changes: [(column: Int, plain: String)]) {
    guard let start = lines.offset(line: line, column: 1),
      let end = lines.offset(line: line, column: old + 1)
    else { return }
    source = SourceText(
      path: source.path, bytes: Array(source.bytes[..<start]) + Array(text.utf8) + Array(source.bytes[end...])
    )
    for (column, plain) in changes.reversed() {
      let more = plain.unicodeScalars.count - 1
      if more != 0 { edits[line, default: []].append(Edit(column: column, more: more)) }
    }
  }

  /// Reports a slip, whose place is given in the changed text.
  mutating func report(_ fault: Diagnostic) {
    var fault = fault
    fault.mark = fault.mark.map(original)
    faults.append(fault)
  }

  /// Maps a place in the changed text to the place in the file as written.
  func original(_ mark: SourceRange) -> SourceRange {
    guard !edits.isEmpty, mark.option == nil else { return mark }
    var mark = mark
    mark.column = original(mark.column, line: mark.line)
    mark.endColumn = original(mark.endColumn, line: mark.endLine)
    if mark.line == mark.endLine { mark.endColumn = max(mark.endColumn, mark.column) }
    return mark
  }

  private func original(_ column: Int, line: Int) -> Int {
    (edits[line] ?? []).reversed().reduce(column) { column, edit in
      if edit.more > 0 { return column <= edit.column ? column : max(edit.column, column - edit.more) }
      return column < edit.column ? column : column - edit.more
    }
  }
}

// MARK: - Slips that make invalid YAML

extension MendedText {
  /// A syntax error of libyaml: its message, its place, and the start of the construct in which it occurred.
  struct Problem {
    let words: String
    let mark: SourceRange
    let begin: SourceRange?
  }

  /// Mends the slip that caused a syntax error; false if no known slip did.
  mutating func mend(_ problem: Problem) -> Bool {
    guard hasRoom else { return false }
    if problem.words.hasPrefix("did not find expected ',' or"), mendColor(problem) { return true }
    if problem.words.hasPrefix("did not find expected key"), mendItem(line: problem.mark.line) { return true }
    guard problem.words.hasPrefix("could not find expected ':'") || problem.words.hasPrefix("mapping values")
    else { return false }
    for line in [problem.begin?.line, problem.mark.line, problem.mark.line - 1].compactMap({ $0 })
    where mendSpace(line: line) { return true }
    if problem.words.hasPrefix("could not find expected ':'") {
      return mendColon(line: problem.begin?.line ?? problem.mark.line - 1)
    }
    return mendBrace(line: problem.mark.line)
      || lineAbove(problem.mark.line).map { mendColon(line: $0) } ?? false
  }

  /// Mends `{ background: #fff }`: YAML reads the rest of the line as a comment, so nothing closes the brace.
  private mutating func mendColor(_ problem: Problem) -> Bool {
    let first = problem.begin?.line ?? problem.mark.line
    for number in first..<max(first + 1, min(problem.mark.line + 1, first + 200)) {
      guard let line = lines[number], let (column, color) = LineText.color(in: line) else { continue }
      report(.unquotedColor(color, at: Self.mark(number, column, color)))
      replace(line: number, column: column, count: color.unicodeScalars.count, by: "\"\(color)\"")
      return true
    }
    return false
  }

  /// Mends `- song: …` among keys of a map.
  private mutating func mendItem(line number: Int) -> Bool {
    guard let line = lines[number] else { return false }
    let indent = LineText.indent(line)
    let rest = line.dropFirst(indent)
    guard rest.hasPrefix("- "), let key = LineText.key(rest.dropFirst(2)) else { return false }
    report(.itemAmongKeys(key, at: Self.mark(number, indent + 1, "-")))
    replace(line: number, column: indent + 1, count: 2, by: "")
    return true
  }

  /// Mends `type:meter`.
  private mutating func mendSpace(line number: Int) -> Bool {
    guard let line = lines[number], line.utf8.count < 1000 else { return false }
    let indent = LineText.indent(line)
    let text = line.dropFirst(indent).prefix { $0 != " " }
    guard let (key, value) = MissingSpace.parts(String(text)) else { return false }
    report(.missingSpace(key, value, at: Self.mark(number, indent + 1, String(text))))
    replace(line: number, column: indent + key.unicodeScalars.count + 2, count: 0, by: " ")
    return true
  }

  /// Mends `meter` or `level -12 dB`: a key without its colon.
  private mutating func mendColon(line number: Int) -> Bool {
    guard let line = lines[number], line.utf8.count < 1000 else { return false }
    let indent = LineText.indent(line)
    var rest = line.dropFirst(indent)
    var column = indent + 1
    if rest.hasPrefix("- ") {
      rest = rest.dropFirst(2)
      column += 2
    }
    guard let (key, value) = LineText.keyWithoutColon(rest) else { return false }
    report(.missingColon(key, value, at: Self.mark(number, column, key)))
    replace(line: number, column: column + key.unicodeScalars.count, count: 0, by: ":")
    return true
  }

  /// Mends `meter { type: meter, hold: 1 s }`: YAML reads all up to the first colon as a key, and then refuses the
  /// second colon.
  private mutating func mendBrace(line number: Int) -> Bool {
    guard let line = lines[number],
      LineText.keyWithoutColon(line.dropFirst(LineText.indent(line)))?.value.hasPrefix("{") == true
    else { return false }
    return mendColon(line: number)
  }

  /// Mends `meter { type: meter }`, which YAML reads as a key with a brace in it.
  mutating func mendKey(at mark: SourceRange) -> Bool {
    hasRoom && mendColon(line: mark.line)
  }

  /// The number of the nearest line above that holds more than a comment.
  private func lineAbove(_ number: Int) -> Int? {
    let lines = lines
    for above in stride(from: number - 1, to: max(0, number - 20), by: -1) {
      guard let line = lines[above] else { continue }
      let text = line.drop { $0 == " " }
      if !text.isEmpty, !text.hasPrefix("#") { return above }
    }
    return nil
  }

  static func mark(_ line: Int, _ column: Int, _ text: String) -> SourceRange {
    SourceRange(
      line: line, column: column, endLine: line, endColumn: column + text.unicodeScalars.count)
  }
}

/// Reads single lines of a graph file without YAML.
enum LineText {
  static func indent(_ line: String) -> Int { line.prefix { $0 == " " }.count }

  /// The key in front of a colon, `song` in `song: { … }`; nil where there is none.
  static func key(_ text: Substring) -> String? {
    guard let colon = text.firstIndex(of: ":"), isName(String(text[..<colon])) else { return nil }
    return String(text[..<colon])
  }

  /// The key and the value of a line without a colon (`level -12 dB`); nil for any other line. The value is one word,
  /// or begins like a number, a quoted text or a bracket: of two plain words either may be the key.
  static func keyWithoutColon(_ text: Substring) -> (key: String, value: String)? {
    var text = text
    if let comment = text.firstRange(of: " #") { text = text[..<comment.lowerBound] }
    while text.last == " " || text.last == "\r" { text = text.dropLast() }
    let key = String(text.prefix { $0 != " " && $0 != "{" && $0 != "[" })
    guard isName(key), key.utf8.first.map({ ($0 | 0x20) &- 0x61 < 26 }) == true else { return nil }
    let value = text.dropFirst(key.count).drop { $0 == " " }
    let isOne = !value.contains(" ") || value.first.map { "{[\"'-+.0123456789".contains($0) } == true
    return isOne ? (key, String(value)) : nil
  }

  /// The first color such as `#fff` outside of quotes, where YAML reads a comment; its column from 1.
  static func color(in line: String) -> (column: Int, color: String)? {
    var quote: Character?
    var before: Character = " "
    for (offset, character) in line.enumerated() {
      defer { before = character }
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "\"" || character == "'" {
        quote = character
      } else if character == "#", " [{,:(".contains(before) {
        let digits = line.dropFirst(offset + 1).prefix { $0.isASCII && $0.isHexDigit }
        let next = line.dropFirst(offset + 1 + digits.count).first
        guard [3, 4, 6, 8].contains(digits.count), next.map({ " ,]})".contains($0) }) ?? true else {
          return nil
        }
        let column = line.prefix(offset).unicodeScalars.count + 1
        return (column, "#" + digits)
      }
    }
    return nil
  }
}

/// Diagnostics about slips.
extension Diagnostic {
  static func unquotedColor(_ color: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "unquoted-color", "\(color) and the rest of the line are read as a comment", at: mark,
      notes: ["put the color in quotes: \"\(color)\""])
  }

  static func missingColon(_ key: String, _ value: String, at mark: SourceRange) -> Diagnostic {
    let rest = value.isEmpty ? "" : " \(plain(value, most: 40))"
    return Diagnostic(
      "missing-colon", "a colon is missing after \(plain(key))", at: mark,
      notes: ["write \(plain(key)):\(rest)"])
  }

  static func itemAmongKeys(_ key: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "list-among-keys", "the - makes \(plain(key)) an item of a list among keys of a map",
      at: mark,
      notes: ["remove the -"])
  }
}
