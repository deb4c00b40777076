import Playback
import Testing

@testable import Realtime

@Suite struct DeckEndingTests {
  @Test func `a lane that ends while another one is called for is no ending`() {
    let rig = DeckRig(fade: 100)
    rig.offer(Array(repeating: 1, count: 550))
    rig.deck.play()
    _ = rig.play(500)
    rig.deck.call(turn: 2)
    // It falls along a ramp of 100 samples, and has 50.
    _ = rig.play(200)
    #expect(rig.voice.pointee.finish().endings == 0)
    rig.offer(Array(repeating: 1, count: 300))
    _ = rig.play(400)
    #expect(rig.voice.pointee.finish().endings == 1)
    #expect(rig.isClean)
  }
}
