import Testing

@testable import Playback

@Suite struct NaturalOrderTests {
  private func sorted(_ names: [String]) -> [String] {
    names.sorted { NaturalOrder($0) < NaturalOrder($1) }
  }

  @Test(arguments: [
    ["1 a", "2 a", "10 a", "100 a"],
    ["1-02 b", "1-10 a", "2-01 c"],
    ["A1 x", "A2 x", "A10 x", "B1 x"],
    ["CD 2", "CD 10"],
    ["Äpfel", "apple", "banana", "Eclair", "éclair 2", "zebra"],
    ["track 007", "track 7b", "track 8"],
    ["straße", "strasse 2"],
    ["x9999999999999999999999", "x10000000000000000000000"],
    ["Б", "в", "Г"],
  ])
  func `names are sorted in natural order`(names: [String]) {
    #expect(sorted(names.reversed()) == names)
    #expect(sorted(names) == names)
  }

  @Test func `names that differ in nothing that counts always have the same order`() {
    #expect(sorted(["a", "A", "01", "1"]) == sorted(["1", "01", "A", "a"]))
  }

  @Test(arguments: [
    ("É", "e"), ("e\u{301}", "e"), ("Straße", "strasse"), ("ÆON", "aeon"), ("Ｆｕｌｌ", "full"),
    ("Ξένος", "ξενοσ"),
    ("Ёлка", "елка"), ("Łódź", "lodz"), ("日本", "日本"), ("", ""),
  ])
  func `folded text has lowercase letters without accents`(text: String, folded: String) {
    #expect(String(decoding: FoldedText.bytes(text), as: UTF8.self) == folded)
  }
}
