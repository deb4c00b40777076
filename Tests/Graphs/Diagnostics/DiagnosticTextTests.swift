import Testing

@testable import Graphs

@Suite struct DiagnosticTextTests {
  private func text(_ line: String, _ column: Int, to end: Int) -> String {
    let text = DiagnosticText(SourceText(path: "g.yaml", text: line))
    let mark = SourceRange(line: 1, column: column, endLine: 1, endColumn: end)
    return text.text(Diagnostic("code", "sentence", at: mark, notes: ["note"]), .error)
  }

  @Test func `tabs and wide letters do not move the caret`() {
    #expect(
      text("\ta: 日本 xx", 8, to: 10)
        == "g.yaml:1:8: error: sentence [code]\n   1 |     a: 日本 xx\n     |             ^^\n     = note\n")
    #expect(text("e\u{301}x", 3, to: 4).contains("   1 | e\u{301}x\n     |  ^\n"))
  }

  @Test func `no control character of a file reaches the terminal`() {
    let shown = text("a\u{1B}[31m\u{202E}b", 1, to: 2)
    #expect(shown.contains("   1 | a\u{FFFD}[31m\u{FFFD}b\n"))
    #expect(quote("a\u{61C}b") == "\"a\\u{61c}b\"")
    #expect(quote("\u{1B}[2J\n") == "\"\\u{1b}[2J\\u{a}\"")
  }

  @Test func `a long line is cut around the caret`() {
    let line = String(repeating: "a", count: 1000) + "X" + String(repeating: "b", count: 1000)
    let lines = text(line, 1001, to: 1002).split(separator: "\n")
    #expect(
      lines[1] == "   1 | …" + String(repeating: "a", count: 50) + "X" + String(repeating: "b", count: 49)
        + "…")
    #expect(lines[2] == "     | " + String(repeating: " ", count: 51) + "^")
  }

  @Test func `a place past the end of the line gets a caret there`() {
    #expect(text("ab", 3, to: 3).contains("   1 | ab\n     |   ^\n"))
  }

  @Test func `the JSON form has the same content`() {
    #expect(
      check("visgraph: 1\nnodes: { t: { type: tone, gain: 99 } }", set: "t.gian=1").json.text == """
        {
          "file": "graph.yaml",
          "diagnostics": [
            {
              "severity": "error",
              "code": "out-of-range",
              "sentence": "t.gain is 99; it takes a number -120…20 dB",
              "line": 2,
              "column": 33,
              "endLine": 2,
              "endColumn": 35,
              "notes": []
            },
            {
              "severity": "error",
              "code": "unknown-setting",
              "sentence": "tone has no setting \\"gian\\"",
              "option": "--set t.gian",
              "notes": ["did you mean gain?", "possible settings: channels, names, frequency, gain, path"]
            }
          ]
        }

        """)
  }
}
