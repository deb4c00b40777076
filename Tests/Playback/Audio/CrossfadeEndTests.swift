import Playback
import Testing

@testable import Realtime

@Suite struct CrossfadeEndTests {
  @Test func `a lane that ends while another one is called for is no ending`() {
    let rig = CrossfadeRig(fade: 100)
    rig.offer(Array(repeating: 1, count: 550))
    rig.buffer.play()
    _ = rig.play(500)
    rig.buffer.invalidate(before: 2)
    // It falls along a ramp of 100 samples, and has 50.
    _ = rig.play(200)
    #expect(rig.reader.pointee.finish().endings == 0)
    rig.offer(Array(repeating: 1, count: 300))
    _ = rig.play(400)
    #expect(rig.reader.pointee.finish().endings == 1)
    #expect(rig.isClean)
  }
}
