import Testing

@testable import Nodes

/// The count of beats, and the phases that follow from it.
@Suite struct BeatPhaseTests {
  /// The counts at the ends of frames in which the tracker has counted `beats`.
  private static func counts(_ phase: inout BeatPhase, _ beats: [Double]) -> [Double] {
    var counts: [Double] = []
    for beat in beats {
      let count = phase.advance(to: beat)
      phase.last = (count, 0)
      counts.append(count)
    }
    return counts
  }

  @Test func `the count stands still where the grid goes back`() {
    var phase = BeatPhase()
    let counts = Self.counts(&phase, [10.25, 10.75, 10.5, 11])
    #expect(counts == [0.25, 0.75, 0.75, 1])
    #expect(phase.inBeat(0.75) == 0.75 && phase.inBar(5) == 0.25 && phase.isDownbeat(4))
  }

  @Test func `a doubled tempo acts with the next beat, which begins a bar`() {
    var phase = BeatPhase()
    let before = Self.counts(&phase, [10.25])
    phase.multiply(by: 2)
    let after = Self.counts(&phase, [10.75, 11.25])
    #expect(before == [0.25] && after == [0.75, 1.5])
    #expect(phase.factor == 2 && !phase.countsTrackedBeats)
    #expect(phase.isDownbeat(1) && phase.inBar(1.5) == 0.125)
  }
}
