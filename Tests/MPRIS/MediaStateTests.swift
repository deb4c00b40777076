import MPRIS
import Testing

@Suite struct MediaStateTests {
  @Test func `a player that has nothing is stopped`() { #expect(MediaState().status == .stopped) }
}
