/// A text in which slips were mended, so that what follows is checked as usual: what was changed, so that places can be told
/// as the file has them, and what is to be reported of each. [control]
struct MendedText {
  /// A change in one line: from a column on so many code points more, or fewer.
  private struct Edit {
    let column: Int
    let more: Int
  }

  /// The most slips that are mended in one file.
  static let most = 20
  /// The largest text that is mended, in bytes: it is read once more for every slip.
  static let largest = 256 << 10

  /// The text as it is now.
  private(set) var source: SourceText
  /// What is reported of it, by its places in the file.
  private(set) var faults: [Diagnostic] = []
  private var edits: [Int: [Edit]] = [:]
  private var count = 0

  /// Nothing is mended yet.
  init(_ source: SourceText) { self.source = source }

  /// Whether one more may be mended.
  var hasRoom: Bool { count < Self.most && source.bytes.count <= Self.largest }

  /// The text in lines, as it is now.
  var lines: Lines { Lines(source.bytes) }

  /// Puts code points into the place of others in a line, from a column on; both as the text is now.
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

  /// Puts another text into the place of a line of so many code points, of which some single ones become something else:
  /// their columns, and what.
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

  /// Reports a slip; its place is that of the text as it is now.
  mutating func tell(_ fault: Diagnostic) {
    var fault = fault
    fault.mark = fault.mark.map(original)
    faults.append(fault)
  }

  /// Where the file has what stands here in the text as it is now.
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

// MARK: - What YAML stumbles over

extension MendedText {
  /// What the scanner of YAML says: its words, where it stands, and where what it could not read began.
  struct Problem {
    let words: String
    let mark: SourceRange
    let begin: SourceRange?
  }

  /// Mends what a problem comes from; false where that is not known.
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

  /// `{ background: #fff }`: the rest of the line is a comment, and nothing closes the brace.
  private mutating func mendColor(_ problem: Problem) -> Bool {
    let first = problem.begin?.line ?? problem.mark.line
    for number in first..<max(first + 1, min(problem.mark.line + 1, first + 200)) {
      guard let line = lines[number], let (column, color) = LineText.color(in: line) else { continue }
      tell(.unquotedColor(color, at: Self.mark(number, column, color)))
      replace(line: number, column: column, count: color.unicodeScalars.count, by: "\"\(color)\"")
      return true
    }
    return false
  }

  /// `- song: …` among keys of a map.
  private mutating func mendItem(line number: Int) -> Bool {
    guard let line = lines[number] else { return false }
    let indent = LineText.indent(line)
    let rest = line.dropFirst(indent)
    guard rest.hasPrefix("- "), let key = LineText.key(rest.dropFirst(2)) else { return false }
    tell(.itemAmongKeys(key, at: Self.mark(number, indent + 1, "-")))
    replace(line: number, column: indent + 1, count: 2, by: "")
    return true
  }

  /// `type:meter`.
  private mutating func mendSpace(line number: Int) -> Bool {
    guard let line = lines[number], line.utf8.count < 1000 else { return false }
    let indent = LineText.indent(line)
    let text = line.dropFirst(indent).prefix { $0 != " " }
    guard let (key, value) = MissingSpace.parts(String(text)) else { return false }
    tell(.missingSpace(key, value, at: Self.mark(number, indent + 1, String(text))))
    replace(line: number, column: indent + key.unicodeScalars.count + 2, count: 0, by: " ")
    return true
  }

  /// `meter` or `level -12 dB`, where a key stands without its colon.
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
    tell(.missingColon(key, value, at: Self.mark(number, column, key)))
    replace(line: number, column: column + key.unicodeScalars.count, count: 0, by: ":")
    return true
  }

  /// `meter { type: meter, hold: 1 s }`, of which YAML takes all up to the first colon for a key, so that the second may not be.
  private mutating func mendBrace(line number: Int) -> Bool {
    guard let line = lines[number],
      LineText.keyWithoutColon(line.dropFirst(LineText.indent(line)))?.value.hasPrefix("{") == true
    else { return false }
    return mendColon(line: number)
  }

  /// `meter { type: meter }`, which YAML takes for a key with a brace in it.
  mutating func mendKey(at mark: SourceRange) -> Bool {
    hasRoom && mendColon(line: mark.line)
  }

  /// The last line before one that holds more than a comment.
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

/// What stands in a line of a graph file, before YAML is asked.
enum LineText {
  static func indent(_ line: String) -> Int { line.prefix { $0 == " " }.count }

  /// The key in front of a colon, `song` in `song: { … }`; nil where there is none.
  static func key(_ text: Substring) -> String? {
    guard let colon = text.firstIndex(of: ":"), isName(String(text[..<colon])) else { return nil }
    return String(text[..<colon])
  }

  /// A name, and what stands behind a space; nil where it has a colon, or is none. What follows is one value: of two
  /// words without a colon nobody knows which is the key.
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

  /// The first color that stands behind a # outside of quotes, where YAML takes the # for the beginning of a comment; its
  /// column from 1.
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

/// The sentences about slips.
extension Diagnostic {
  static func unquotedColor(_ color: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "unquoted-color", "the # of \(color) begins a comment, which goes to the end of the line", at: mark,
      notes: ["put it in quotes: \"\(color)\""])
  }

  static func missingColon(_ key: String, _ value: String, at mark: SourceRange) -> Diagnostic {
    let rest = value.isEmpty ? "" : " \(plain(value, most: 40))"
    return Diagnostic(
      "missing-colon", "a colon is missing behind \(plain(key))", at: mark,
      notes: ["write \(plain(key)):\(rest)"])
  }

  static func itemAmongKeys(_ key: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "list-among-keys", "a - begins an item of a list, and \(plain(key)) stands among keys of a map",
      at: mark,
      notes: ["leave the - away"])
  }
}
