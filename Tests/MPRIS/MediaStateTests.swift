import MPRIS
import Testing

@Suite struct MediaStateTests {
  @Test func `a player without a file is stopped`() { #expect(MediaState().status == .stopped) }
}
