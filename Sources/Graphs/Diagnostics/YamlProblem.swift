/// What a problem of the YAML scanner means to somebody who wrote the file by hand.
enum YamlProblem {
  static func words(for problem: String) -> (sentence: String, note: String?) {
    for (begin, sentence, note) in known where problem.hasPrefix(begin) { return (sentence, note) }
    return ("this is not YAML: \(problem)", nil)
  }

  private static let known: [(String, String, String?)] = [
    (
      "mapping values are not allowed", "a colon stands where no key can be",
      "put a text that has a colon followed by a space in quotes; else look at the indentation of this line"
    ),
    (
      "found character that cannot start any token", "nothing can begin with this character",
      "indent with spaces, not tabs; put a text that begins with % @ or ` in quotes"
    ),
    (
      "found a tab character", "a tab stands where the line is indented", "indent with spaces"
    ),
    (
      "did not find expected ',' or '}'", "a { … } is not closed, or a comma is missing in it",
      "inside { … } put texts with [ ] { } or , in quotes"
    ),
    (
      "did not find expected ',' or ']'", "a [ … ] is not closed, or a comma is missing in it",
      "inside [ … ] put texts with [ ] { } or , in quotes"
    ),
    ("did not find expected node content", "a value is missing here", "put a text that begins so in quotes"),
    ("did not find expected key", "a key is missing here", "look at the indentation of this line"),
    ("did not find expected '-' indicator", "a list item must begin with - here", nil),
    ("could not find expected ':'", "a key without a colon", "write KEY: VALUE"),
    ("found unexpected end of stream", "a quote is opened and never closed", nil),
    ("found unknown escape character", "this escape is not known", "write \\\\ for a backslash"),
    ("found invalid Unicode character escape", "this escape is no character", "write the character itself"),
    (
      "block sequence entries are not allowed", "a list cannot begin here",
      "put the - in a line of its own, indented under its key"
    ),
    (
      "did not find expected alphabetic", "a name is missing after & or *",
      "put a text that begins so in quotes"
    ),
  ]
}
