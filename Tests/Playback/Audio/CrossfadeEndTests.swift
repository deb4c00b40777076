import Playback
import Testing

@testable import Realtime

@Suite struct CrossfadeEndTests {
  @Test func `a side that ends while another one is awaited is no end of the player`() {
    let rig = CrossfadeRig(fade: 100)
    rig.offer(Array(repeating: 1, count: 550))
    rig.buffer.play()
    _ = rig.play(500)
    rig.buffer.invalidate(before: 2)
    // The fade-out has 100 samples, and the side has 50 left.
    _ = rig.play(200)
    #expect(rig.reader.pointee.finish().endings == 0)
    rig.offer(Array(repeating: 1, count: 300))
    _ = rig.play(400)
    #expect(rig.reader.pointee.finish().endings == 1)
    #expect(rig.isClean)
  }
}
