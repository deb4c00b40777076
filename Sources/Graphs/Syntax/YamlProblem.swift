extension Diagnostic {
  /// Explains a syntax error of libyaml. `begin`: the start of the construct in which it occurred.
  static func syntax(_ problem: String, at mark: SourceRange, beganAt begin: SourceRange?, in lines: Lines)
    -> Diagnostic
  {
    if let fault = YamlProblem.missingSpace(problem, mark, begin, lines) { return fault }
    var mark = mark
    var (message, note) = YamlProblem.words(for: problem)
    var notes: [String] = []
    if let begin, problem.hasPrefix("found unexpected end of stream") {
      mark = begin
    } else if let begin, problem.hasPrefix("did not find expected ','"), begin.line != mark.line,
      mark.option == nil
    {
      notes.append("it begins in line \(begin.line)")
    } else if problem.hasPrefix("mapping values"), let above = YamlProblem.valueAbove(mark.line, lines) {
      note =
        "line \(mark.line) is indented under line \(above), which already has a value: give both the same indentation"
    } else if problem.hasPrefix("found character that cannot start"),
      lines[mark.line]?.unicodeScalars.dropFirst(mark.column - 1).first == "\t"
    {
      (message, note) = ("a tab is not allowed here", "indent with spaces")
    }
    return Diagnostic("yaml-syntax", message, at: mark, notes: notes + (note.map { [$0] } ?? []))
  }
}

/// Translates syntax errors of libyaml into words for authors of graph files.
enum YamlProblem {
  static func words(for problem: String) -> (message: String, note: String?) {
    for (begin, message, note) in known where problem.hasPrefix(begin) { return (message, note) }
    return ("invalid YAML: \(problem)", nil)
  }

  /// The diagnostic for a missing space behind a colon; nil if the error has another cause.
  static func missingSpace(_ problem: String, _ mark: SourceRange, _ begin: SourceRange?, _ lines: Lines)
    -> Diagnostic?
  {
    guard problem.hasPrefix("mapping values") || problem.hasPrefix("could not find expected ':'") else {
      return nil
    }
    for number in [begin?.line, mark.line, mark.line - 1].compactMap({ $0 }) {
      guard let line = lines[number], line.utf8.count < 1000 else { continue }
      let indent = line.prefix { $0 == " " }.count
      let text = line.dropFirst(indent).prefix { $0 != " " }
      guard let (key, value) = MissingSpace.parts(String(text)) else { continue }
      var place = mark
      (place.line, place.endLine) = (number, number)
      (place.column, place.endColumn) = (indent + 1, indent + 1 + text.count)
      return .missingSpace(key, value, at: place)
    }
    return nil
  }

  /// The number of the line above; nil unless it is indented less and has a key with a value.
  static func valueAbove(_ number: Int, _ lines: Lines) -> Int? {
    func indent(_ line: String) -> Int { line.prefix { $0 == " " }.count }
    guard let line = lines[number], let above = lines[number - 1], above.utf8.count < 1000,
      indent(line) > indent(above), let colon = above.firstRange(of: ": "),
      above[colon.upperBound...].contains(where: { $0 != " " && $0 != "#" })
    else { return nil }
    return number - 1
  }

  private static let known: [(String, String, String?)] = [
    (
      "mapping values are not allowed", "a key is not allowed here",
      "put a text that contains a colon and a space in quotes, or correct the indentation of this line"
    ),
    (
      "found character that cannot start any token", "no key and no value can begin with this character",
      "indent with spaces, not tabs; put a text that begins with % @ or ` in quotes"
    ),
    (
      "found a tab character", "a tab is not allowed here", "indent with spaces"
    ),
    (
      "did not find expected ',' or '}'", "a { … } is not closed, or a comma is missing in it",
      "inside { … } put texts with [ ] { } or , in quotes"
    ),
    (
      "did not find expected ',' or ']'", "a [ … ] is not closed, or a comma is missing in it",
      "inside [ … ] put texts with [ ] { } or , in quotes"
    ),
    (
      "did not find expected node content", "a value is missing here",
      "put a text that begins with this character in quotes"
    ),
    ("did not find expected key", "a key is missing here", "correct the indentation of this line"),
    ("did not find expected '-' indicator", "a list item must begin with - here", nil),
    ("could not find expected ':'", "the key has no colon", "write KEY: VALUE"),
    ("found unexpected end of stream", "the quote is not closed", "add the closing quote"),
    ("found unknown escape character", "this escape is unknown", "write \\\\ for a backslash"),
    (
      "found invalid Unicode character escape", "this escape is not a Unicode character",
      "write the character itself"
    ),
    (
      "block sequence entries are not allowed", "a list cannot begin here",
      "put the - in a line of its own, indented under its key"
    ),
    (
      "did not find expected alphabetic", "a name is missing after & or *",
      "put a text that begins with this character in quotes"
    ),
  ]
}
