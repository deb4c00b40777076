import Testing

@testable import Graphs

@Suite struct ComposerTests {
  @Test func `marks count code points from 1 and end one past the last`() throws {
    let tree = try #require(Composer.compose(SourceText(path: "", text: "\u{FEFF}é: \"日本\"\n")).tree)
    let pair = try #require(tree.map?.first)
    #expect(pair.key.mark == SourceRange(line: 1, column: 1, endLine: 1, endColumn: 2))
    #expect(pair.value.mark == SourceRange(line: 1, column: 4, endLine: 1, endColumn: 8))
    guard case .scalar("日本", quoted: true) = pair.value.content else { return #expect(Bool(false)) }
  }

  @Test(arguments: ["a\u{FFFE}b", "\u{FFFF}", "\u{FEFF}", "\u{85}", "\u{10FFFF}", "\u{2028}\t\"\\\n"])
  func `every text reads back from its quotes`(text: String) {
    #expect(Tree.written(yamlQuoted(text))?.text == text)
  }

  @Test func `JSON is read like YAML`() {
    let checked = check(
      "{\n\t\"visgraph\": 1,\n\t\"nodes\": {\"t\": {\"type\": \"tone\", \"gain\": -6.5}}\n}\n")
    #expect(checked.graph.flatMap { settings($0, "t", Tone.self) }?.all.gain == -6.5)
  }
}
