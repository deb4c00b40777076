import Engine
import Graphs
import Testing

/// Seconds of a timeline whose rate may change.
@Suite struct TimelineTests {
  @Test func `with one rate a second has as many samples as the rate`() {
    let timeline = Timeline(rate: 44_100).with(rate: 44_100, from: 999)
    #expect(timeline == Timeline(rate: 44_100))
    #expect(timeline.seconds(at: 735) == 735.0 / 44_100)
    #expect(timeline.sample(at: 5.5) == 242_550)
  }

  @Test func `another rate counts from where it began, and time never goes back`() {
    var timeline = Timeline(rate: 96_000)
    timeline = timeline.with(rate: 8_000, from: 4 * 96_000)
    #expect(timeline.seconds(at: 4 * 96_000) == 4)
    #expect(timeline.seconds(at: 4 * 96_000 + 4_000) == 4.5)
    #expect(timeline.sample(at: 30) == 4 * 96_000 + 26 * 8_000)
    timeline = timeline.with(rate: 44_100, from: 4 * 96_000 + 8_000)
    #expect(timeline.seconds(at: 4 * 96_000 + 8_000 + 44_100) == 6)
  }
}
