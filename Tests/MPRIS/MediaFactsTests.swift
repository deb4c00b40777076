import MPRIS
import Testing

@Suite struct MediaFactsTests {
  @Test func `a player that has nothing is stopped`() { #expect(MediaFacts().status == .stopped) }
}
