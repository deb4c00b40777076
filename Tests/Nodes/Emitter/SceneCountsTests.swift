import Testing

@testable import Nodes

@Suite struct SceneCountsTests {
  @Test func `dropped births are summed, however many there are`() {
    let counts = SceneCounts(channels: 2)
    for _ in 0..<3 { counts.note(1, live: 7, births: 2, dropped: .max, limit: 7) }
    counts.note(0, live: 1, births: 1, dropped: 5, limit: 9)
    #expect(counts.takeDropped() == [5, 3 << 32] && counts.takeDropped() == [0, 0])
    #expect(counts.limit(1) == 7 && counts.live(0) == 1 && counts.births(1) == 2)
  }
}
