import Testing

@testable import Graphs

/// Mistakes are corrected, and places are reported as in the file.
@Suite struct MendedTextTests {
  private func text(_ mended: MendedText) -> String { String(decoding: mended.source.bytes, as: UTF8.self) }

  private func column(_ mended: MendedText, _ column: Int) -> Int {
    mended.original(SourceRange(line: 1, column: column, endLine: 1, endColumn: column + 1)).column
  }

  @Test func `inserted and removed characters do not move reported places`() {
    var mended = MendedText(SourceText(path: "a.yaml", text: "ab cd ef\nsecond"))
    mended.replace(line: 1, column: 4, count: 2, by: "\"cd\"")
    #expect(text(mended) == "ab \"cd\" ef\nsecond")
    // a b _ " c d " _ e f
    #expect((1...10).map { column(mended, $0) } == [1, 2, 3, 4, 4, 4, 5, 6, 7, 8])
    mended.replace(line: 1, column: 1, count: 2, by: "")
    #expect(text(mended) == " \"cd\" ef\nsecond")
    #expect(column(mended, 1) == 3 && column(mended, 7) == 7)
    let second = SourceRange(line: 2, column: 3, endLine: 2, endColumn: 4)
    #expect(mended.original(second) == second)
  }

  @Test func `wrong characters are reported once for each kind and line`() throws {
    let source = SourceText(path: "a.yaml", text: "a: “b” → “c”\nname: l’été – ‘d’\n# “e”")
    let faults = [1, 2, 3].map {
      Diagnostic("wrong-value", "x", at: SourceRange(line: $0, column: 1, endLine: $0, endColumn: 2))
    }
    let mended = try #require(Typography.mended(source, near: faults))
    #expect(text(mended) == "a: \"b\" -> \"c\"\nname: l’été – ‘d’\n# “e”")
    #expect(mended.faults.map(\.code) == ["typographic-character", "typographic-character"])
    #expect(mended.faults.map { $0.mark?.column } == [4, 8])
    // After an arrow of two characters the places are those of the file.
    #expect(column(mended, 12) == 11)
    #expect(Typography.mended(source, near: Array(faults.suffix(2))) == nil)
  }

  @Test func `the number of corrections is limited, and a large text gets none`() {
    let many = SourceText(path: "a.yaml", text: (0..<100).map { "a\($0)\n" }.joined() + "b: 1\n")
    let (tree, faults) = Composer.compose(many)
    #expect(tree == nil && faults.count == MendedText.most + 1)
    #expect(faults.dropLast().allSatisfy { $0.code == "missing-colon" } && faults.last?.code == "yaml-syntax")
    let large = SourceText(
      path: "a.yaml", text: String(repeating: "# comment\n", count: 30_000) + "a\nb: 1\n")
    #expect(Composer.compose(large).faults.map(\.code) == ["yaml-syntax"])
  }
}
