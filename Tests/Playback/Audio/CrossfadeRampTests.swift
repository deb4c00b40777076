import Playback
import Synchronization
import Testing

@testable import Realtime

/// Commands that come during a ramp. The measure of a click is the second difference: a full-scale click at -60 dBFS is
/// 0.001. Of a sound with the constant value 1 all second differences come from the ramps.
@Suite struct CrossfadeRampTests {
  private func worstBend(_ samples: [Float]) -> Float {
    var worst: Float = 0
    for i in 1..<samples.count - 1 {
      let before: Float = samples[i] - samples[i - 1]
      let after: Float = samples[i + 1] - samples[i]
      worst = max(worst, abs(after - before))
    }
    return worst
  }

  @Test(arguments: [17, 64, 230, 1000])
  func `playing and pausing in the middle of a ramp leaves no corner`(size: Int) {
    let rig = CrossfadeRig(fade: 480)
    rig.offer(Array(repeating: 1, count: 30_000), isBeginning: false)
    var recorded = [Float](repeating: 0, count: 10)
    for _ in 0..<min(40, 14_000 / size) {
      rig.buffer.play()
      recorded += rig.play(size, by: 64)
      rig.buffer.pause()
      recorded += rig.play(size, by: 64)
    }
    #expect(worstBend(recorded) < 0.0001)
    #expect(recorded.contains { $0 > 0.9 })
    // The last command holds.
    #expect(rig.play(2000).suffix(1000).allSatisfy { $0 == 0 })
  }

  @Test func `generations that follow each other faster than a ramp leave no corner`() {
    let rig = CrossfadeRig(fade: 480)
    rig.buffer.play()
    var recorded = [Float](repeating: 0, count: 10)
    for round in 0..<200 {
      if rig.buffer.freeSide == nil { _ = rig.buffer.takeBack() }
      rig.offer(Array(repeating: 1, count: 20_000), ends: false, isBeginning: false, calls: true)
      recorded += rig.play(40 + round * 7919 % 400, by: 64)
    }
    recorded += rig.play(2000)
    #expect(worstBend(recorded) < 0.0001)
    #expect(recorded.suffix(1000).allSatisfy { $0 == 1 })
  }

  @Test func `steps of volume and balance leave no corner, and the last one holds`() {
    let rig = CrossfadeRig(channels: 2, fade: 480)
    rig.offer(Array(repeating: 1, count: 32_000), ends: false)
    rig.buffer.play()
    var recorded = rig.play(1000)
    for round in 0..<60 {
      rig.buffer.volume(to: Float(round % 3) / 2, in: round % 7 == 0 ? 3500 : 0, isLinear: round % 2 == 0)
      rig.buffer.balance(left: 1, right: round % 2 == 0 ? 1.4 : 0)
      recorded += rig.play(100 + round * 7919 % 300, by: 64)
    }
    rig.buffer.volume(to: 1, in: 0)
    rig.buffer.balance(left: 1, right: 1)
    recorded += rig.play(5000)
    #expect(worstBend(recorded) < 0.001)
    #expect(recorded.last == 1)
  }

  @Test func `a late disk in the middle of a rise leaves no corner`() throws {
    let rig = CrossfadeRig(fade: 480)
    let sound = [Float](repeating: 1, count: 3000)
    rig.offer(sound, ends: false, isBeginning: false)
    rig.buffer.play()
    var recorded = [Float](repeating: 0, count: 10)
    for _ in 0..<30 { recorded += rig.play(200, by: 64) }
    #expect(worstBend(recorded) < 0.0001)
    #expect(rig.buffer.underruns.count == 1)
    #expect(try #require(rig.buffer.heard?.position) <= 3000)
  }

  @Test func `a volume and a fade from it may come in one cycle`() {
    let rig = CrossfadeRig(fade: 480)
    rig.offer(Array(repeating: 1, count: 30_000))
    _ = rig.play(100)
    rig.buffer.volume(to: 0, in: 0)
    rig.buffer.play()
    rig.buffer.volume(to: 1, in: 4000, isLinear: true)
    let recorded = rig.play(4100)
    for i in 0..<4000 { #expect(abs(recorded[i] - Float(i + 1) / 4000) < 1e-5) }
    #expect(recorded[4000...].allSatisfy { $0 == 1 })
    // If the side is heard, the volume changes first.
    rig.buffer.volume(to: 0.5, in: 0)
    rig.buffer.volume(to: 1, in: 4000, isLinear: true)
    let again = rig.play(5000)
    #expect(again[479] == 0.5)
    #expect(abs(again[479 + 2000] - 0.75) < 1e-5)
    #expect(worstBend(again) < 0.001)
  }

  @Test func `a volume and a fade from it may come in one cycle at high sample rates, too`() {
    // 10 ms at 384 kHz.
    let rig = CrossfadeRig(fade: 3840)
    rig.offer(Array(repeating: 1, count: 30_000))
    rig.buffer.play()
    _ = rig.play(100)
    rig.buffer.volume(to: 0.5, in: 0)
    rig.buffer.volume(to: 1, in: 8000, isLinear: true)
    let recorded = rig.play(12_000)
    #expect(abs(recorded[3839] - 0.5) < 1e-5)
    #expect(abs(recorded[3839 + 4000] - 0.75) < 1e-5)
    #expect(recorded[(3840 + 8000)...].allSatisfy { $0 == 1 })
  }

  @Test(arguments: [true, false])
  func `a side taken while paused after an end is not heard`(isBeginning: Bool) {
    let rig = CrossfadeRig(fade: 100)
    rig.buffer.play()
    rig.offer(Array(repeating: 1, count: 512))
    _ = rig.play(512)
    rig.buffer.pause()
    rig.offer(Array(repeating: 1, count: 5000), isBeginning: isBeginning, calls: true)
    #expect(rig.play(500).allSatisfy { $0 == 0 })
    #expect(rig.buffer.heard?.position == 0)
  }

  @Test func `a fade keeps its time while a side is awaited`() {
    let rig = CrossfadeRig(fade: 480)
    rig.buffer.volume(to: 0, in: 0)
    _ = rig.play(100)
    rig.buffer.play()
    rig.buffer.volume(to: 1, in: 4000, isLinear: true)
    _ = rig.play(1000)
    rig.offer(Array(repeating: 1, count: 30_000))
    #expect(abs(rig.play(1000)[999] - 0.5) < 1e-5)
  }

  @Test func `an empty side is an end only if the player itself plays`() throws {
    let rig = CrossfadeRig()
    rig.offer([])
    _ = rig.play(100)
    #expect(rig.buffer.endings == 0)
    rig.buffer.play()
    _ = rig.play(100)
    rig.offer([], calls: true)
    _ = rig.play(100)
    #expect(rig.buffer.endings == 1)
    let following = CrossfadeRig(follows: true)
    let shared = try #require(following.transport).shared
    shared.pointee.state.store(HostTransportShared.State.rolling.rawValue, ordering: .relaxed)
    shared.pointee.sample.store(9000, ordering: .relaxed)
    following.buffer.play()
    following.offer([], base: 9000)
    _ = following.play(100)
    #expect(following.buffer.endings == 0)
    // Located to the end of the samples.
    shared.pointee.sample.store(9000, ordering: .relaxed)
    following.offer(CrossfadeRig.ramp(500), base: 8500, calls: true)
    _ = following.play(300)
    #expect(following.buffer.endings == 0)
    #expect(following.buffer.takeLost() != nil)
    // Played to the end.
    shared.pointee.sample.store(8500, ordering: .relaxed)
    following.offer(CrossfadeRig.ramp(500), base: 8500, calls: true)
    _ = following.play(600)
    #expect(following.buffer.endings == 1)
  }

  @Test func `a splice that comes after the end goes on after it`() {
    let rig = CrossfadeRig(fade: 100)
    rig.buffer.play()
    rig.offer(CrossfadeRig.ramp(1000))
    _ = rig.play(1200)
    rig.offer(CrossfadeRig.ramp(5000, from: 900), splice: 900, isBeginning: false)
    #expect(Array(rig.play(500)[100...]) == Array(CrossfadeRig.ramp(400, from: 1100)))
    #expect(rig.buffer.endings == 1)
    // It ends with it, once.
    let other = CrossfadeRig(fade: 100)
    other.buffer.play()
    other.offer(CrossfadeRig.ramp(1000))
    _ = other.play(1200)
    other.offer(CrossfadeRig.ramp(100, from: 900), splice: 900, isBeginning: false)
    #expect(other.play(500).allSatisfy { $0 == 0 })
    #expect(other.buffer.endings == 1)
  }
}
