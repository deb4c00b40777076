import Testing

@testable import Metering

@Suite struct BarBeliefTests {
  @Test func `changes before the grid begins are ignored`() {
    var bars = BarBelief()
    for part in -5..<0 { bars.take([1, 1, 1], at: Double(part) / 8) }
    for part in 0..<80 { bars.take(part % 8 == 0 ? [1, 1, 1] : [0, 0, 0], at: Double(part) / 8) }
    #expect(bars.bar(of: [4]) != nil)
  }
}
