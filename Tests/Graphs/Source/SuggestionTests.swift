import Testing

@testable import Graphs

@Suite struct SuggestionTests {
  @Test func `the nearest word is suggested, the first of equally near ones`() {
    #expect(nearest(to: "relase", among: ["attack", "release", "reference"]) == "release")
    #expect(nearest(to: "Relaese", among: ["release"]) == "release")
    #expect(nearest(to: "metar", among: ["metal", "meter"]) == "metal")
    #expect(nearest(to: "abcdefghi", among: ["abcdefxyz"]) == "abcdefxyz")
    #expect(nearest(to: "größe", among: ["Größen", "grün"]) == "Größen")
  }

  @Test func `a word that is too far is not suggested`() {
    #expect(nearest(to: "abcdefghi", among: ["abcdewxyz"]) == nil)
    #expect(nearest(to: "ab", among: ["ac", ""]) == nil)
    #expect(nearest(to: "", among: ["a"]) == nil)
    #expect(nearest(to: String(repeating: "a", count: 65), among: [String(repeating: "a", count: 64)]) == nil)
  }

  @Test func `the banded search finds the same as the whole table`() {
    let words = [
      "release", "relase", "rleease", "releasse", "elease", "releas", "reelase", "peak", "peka", "paek",
      "eakp", "p",
      "emissionLongitude", "emisionLongitude", "emissionLongitdue", "misesionLongitude", "emissionLatitude",
    ]
    for first in words {
      for second in words {
        let whole = wholeDistance(Array(first.lowercased()), Array(second.lowercased()))
        let most = min(3, min(first.count, second.count) / 3)
        #expect((nearest(to: first, among: [second]) != nil) == (whole <= most), "\(first) \(second)")
      }
    }
  }

  /// The Levenshtein distance by the whole table.
  private func wholeDistance(_ first: [Character], _ second: [Character]) -> Int {
    var table = (0...first.count).map { i in (0...second.count).map { i == 0 ? $0 : $0 == 0 ? i : 0 } }
    for i in 1...first.count {
      for j in 1...second.count {
        let same = first[i - 1] == second[j - 1] ? 0 : 1
        table[i][j] = min(table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + same)
        if i > 1, j > 1, first[i - 1] == second[j - 2], first[i - 2] == second[j - 1] {
          table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
        }
      }
    }
    return table[first.count][second.count]
  }
}
