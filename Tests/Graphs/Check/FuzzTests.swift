import Testing

@testable import Graphs

@Suite struct FuzzTests {
  /// The same numbers in every run, so that a failure can be repeated.
  private struct Numbers {
    var state: UInt64
    mutating func next(_ below: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(below))
    }
  }

  @Test func `mutated files end in a graph or in faults that can be shown`() {
    let seeds = [
      """
      visgraph: 1
      values: { a: 2, b: "${a}" }
      fps: 30000/1001
      nodes:
        t: { type: tone, channels: "${b}", names: [L, R], each: { L: { gain: -6 dB } } }
        g: { type: gauge, release: 250 ms, hold: none }
        g2: { like: g }
        c: { type: curve }
        s: { type: sprinkler, cells: { a: { color: "#102030", cells: { b: {} } } }, drive: [{ to: [0, 1] }] }
        o: { type: speaker }
      wires:
        - t -> g -> c -> s
        - t[1-2] -> o
        - c[2] -> s.move
        - t -> g2
      """,
      "{\"visgraph\": 1, \"nodes\": {\"t\": {\"type\": \"tone\"}}, \"wires\": []}",
    ].map { Array($0.utf8) }
    let pieces = [
      "{", "}", "[", "]", ": ", "- ", "\n", "  ", "\t", "\"", "'", "&a ", "*a", "!t ", "${a}", "->",
      "99999999999",
      "1e400", "\u{0}", "\u{85}", "\u{202E}", "日本", "|\n", "---\n", "#", "nan", "-", ".", ",", "each",
      "like: ",
    ].map { Array($0.utf8) }
    var numbers = Numbers(state: 20_26)
    let checker = Checker(testCatalogue)
    for round in 0..<4000 {
      var bytes = seeds[round % seeds.count]
      for _ in 0...numbers.next(4) {
        let at = numbers.next(bytes.count + 1)
        switch numbers.next(4) {
        case 0: bytes.insert(contentsOf: pieces[numbers.next(pieces.count)], at: at)
        case 1: bytes.removeSubrange(at..<min(bytes.count, at + numbers.next(9)))
        case 2: if at < bytes.count { bytes[at] = UInt8(numbers.next(256)) }
        default:
          let from = numbers.next(bytes.count)
          bytes.insert(contentsOf: bytes[from..<min(bytes.count, from + numbers.next(40))], at: at)
        }
        if bytes.isEmpty { bytes = [0x61] }
      }
      let checked = checker.check(bytes: bytes)
      #expect((checked.graph == nil) == !checked.faults.isEmpty)
      let text = DiagnosticText.text(checked)
      #expect(text.isEmpty == (checked.faults.isEmpty && checked.warnings.isEmpty))
    }
  }
}
