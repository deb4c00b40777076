import Testing

@testable import Graphs

@Suite struct ComposerTests {
  @Test(arguments: [
    ("", "graph.yaml: error: the file is empty [file-empty]"),
    ("# only a comment\n", "graph.yaml: error: the file is empty [file-empty]"),
    (
      "a: 1\n---\nb: 2\n",
      "graph.yaml:2:1: error: a second document begins here, and a graph file is one document"
    ),
    ("a: &x 1\n", "graph.yaml:1:4: error: anchors (&name) are not taken in graph files [yaml-anchor]"),
    ("a: !!str 1\n", "graph.yaml:1:4: error: tags (!name) are not taken in graph files [yaml-tag]"),
    ("[a]: 1\n", "graph.yaml:1:1: error: a key must be text, not a list or a map [key-not-text]"),
    ("a: b: c\n", "graph.yaml:1:5: error: a colon stands where no key can be [yaml-syntax]"),
    ("a: {b: 1\n", "graph.yaml:2:1: error: a { … } is not closed, or a comma is missing in it [yaml-syntax]"),
    ("a: [1, 2\n", "graph.yaml:2:1: error: a [ … ] is not closed, or a comma is missing in it [yaml-syntax]"),
    ("a: \"b\n", "graph.yaml:1:4: error: a quote is opened and never closed [yaml-syntax]"),
    ("a:\n\t- b\n", "graph.yaml:2:1: error: a tab stands where the line is indented [yaml-syntax]"),
    ("a: \u{7}\n", "graph.yaml:1:4: error: a control character stands here [yaml-syntax]"),
    (
      "- a\n",
      "graph.yaml:1:1: error: a graph file is a map of keys and values, and this is a list [wrong-value]"
    ),
  ])
  func `what is no YAML of ours is said in plain words`(text: String, expected: String) {
    let all = said(text)
    #expect(all.contains(expected), "\(all)")
  }

  @Test func `a key twice names the first, and nothing else is hidden by it`() {
    #expect(
      said("visgraph: 1\nfps: 50\nnodes: { a: { type: nope } }\nfps: 5000\n") == """
        graph.yaml:3:21: error: there is no node type "nope" [unknown-type]
           3 | nodes: { a: { type: nope } }
             |                     ^^^^
             = known are tone, gauge, curve, blend, sprinkler, speaker, postman, clicker
        graph.yaml:4:1: error: the key "fps" stands here a second time; the first is in line 2 [duplicate-key]
           4 | fps: 5000
             | ^^^
             = remove one of the two

        """)
  }

  @Test func `marks count code points from 1 and end one past the last`() throws {
    let tree = try #require(Composer.compose(SourceText(path: "", text: "\u{FEFF}é: \"日本\"\n")).tree)
    let pair = try #require(tree.map?.first)
    #expect(pair.key.mark == SourceRange(line: 1, column: 1, endLine: 1, endColumn: 2))
    #expect(pair.value.mark == SourceRange(line: 1, column: 4, endLine: 1, endColumn: 8))
    guard case .scalar("日本", quoted: true) = pair.value.content else { return #expect(Bool(false)) }
  }

  @Test func `JSON is read the same way`() {
    let checked = check(
      "{\n\t\"visgraph\": 1,\n\t\"nodes\": {\"t\": {\"type\": \"tone\", \"gain\": -6.5}}\n}\n")
    #expect(checked.graph.flatMap { settings($0, "t", Tone.self) }?.all.gain == -6.5)
  }
}
