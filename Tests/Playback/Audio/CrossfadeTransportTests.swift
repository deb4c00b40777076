import Synchronization
import Testing

@testable import Playback
@testable import Realtime

/// Crossfade readers that follow the transport of a host.
@Suite struct CrossfadeTransportTests {
  @Test(arguments: [1, 64, 1000])
  func `a player that follows the transport plays the samples of its places`(size: Int) throws {
    let rig = CrossfadeRig(fade: 100, follows: true)
    let shared = try #require(rig.transport).shared
    let sound = (0..<20_000).map { Float($0 % 977 + 1) / 1000 }
    shared.pointee.state.store(1, ordering: .relaxed)
    rig.offer(Array(sound[5000...]), base: 5000)
    rig.buffer.play()
    #expect(rig.play(100, by: size).allSatisfy { $0 == 0 })
    shared.pointee.sample.store(5000, ordering: .relaxed)
    shared.pointee.state.store(3, ordering: .relaxed)
    // The offer is a beginning, so it starts without a ramp, although its place lies inside the timeline.
    #expect(rig.play(1000, by: size) == Array(sound[5000..<6000]))
    shared.pointee.state.store(1, ordering: .relaxed)
    #expect(rig.play(500, by: size)[100...].allSatisfy { $0 == 0 })
    // The transport rolls from a place a little later: the samples between are skipped in silence.
    shared.pointee.sample.store(7000, ordering: .relaxed)
    shared.pointee.state.store(3, ordering: .relaxed)
    let recorded = rig.play(1000, by: size)
    #expect(Array(recorded[100...]) == Array(sound[7100..<8000]))
    #expect(rig.buffer.takeLost() == nil)
    // Backwards: no side has that place.
    shared.pointee.sample.store(2000, ordering: .relaxed)
    #expect(rig.play(1000, by: size)[200...].allSatisfy { $0 == 0 })
    let lost = try #require(rig.buffer.takeLost())
    #expect(lost >= 2000 && lost < 3000)
    #expect(rig.isClean)
  }

  @Test func `a side for a later place waits for it`() throws {
    let rig = CrossfadeRig(fade: 100, follows: true)
    let shared = try #require(rig.transport).shared
    shared.pointee.state.store(3, ordering: .relaxed)
    shared.pointee.sample.store(1000, ordering: .relaxed)
    rig.offer(CrossfadeRig.ramp(500, from: 1), base: 1300)
    #expect(rig.play(400) == Array(repeating: 0, count: 300) + CrossfadeRig.ramp(100, from: 1))
  }

  @Test func `a skip to the last samples of a side waits for more`() throws {
    let rig = CrossfadeRig(fade: 100, follows: true)
    let shared = try #require(rig.transport).shared
    let side = try #require(rig.offer(CrossfadeRig.ramp(16_384, from: 1), ends: false))
    shared.pointee.sample.store(16_300, ordering: .relaxed)
    shared.pointee.state.store(HostTransportShared.State.rolling.rawValue, ordering: .relaxed)
    #expect(rig.play(64).allSatisfy { $0 == 0 })
    #expect(rig.buffer.side(side).filled >= 0)
    rig.feed(side, CrossfadeRig.ramp(10_000, from: 16_385), ends: false)
    #expect(Array(rig.play(200)[100...]) == CrossfadeRig.ramp(100, from: 16_465))
    #expect(rig.buffer.underruns.count == 0)
    #expect(rig.buffer.takeLost() == nil)
    #expect(rig.isClean)
  }

  @Test func `a side that comes while the transport waits and the old one fades stays at its first sample`()
    throws
  {
    let rig = CrossfadeRig(fade: 100, follows: true)
    let shared = try #require(rig.transport).shared
    let sound = (0..<20_000).map { Float($0 % 977 + 1) / 1000 }
    rig.offer(sound, base: 5000)
    shared.pointee.sample.store(5000, ordering: .relaxed)
    shared.pointee.state.store(HostTransportShared.State.rolling.rawValue, ordering: .relaxed)
    #expect(rig.play(1000, by: 16) == Array(sound[..<1000]))
    shared.pointee.state.store(HostTransportShared.State.starting.rawValue, ordering: .relaxed)
    shared.pointee.sample.store(20_000, ordering: .relaxed)
    _ = rig.play(16, by: 16)
    rig.offer(sound, base: 20_000, calls: true)
    #expect(rig.play(200, by: 16)[100...].allSatisfy { $0 == 0 })
    #expect(rig.buffer.heard?.position == 0)
    shared.pointee.state.store(HostTransportShared.State.rolling.rawValue, ordering: .relaxed)
    #expect(Array(rig.play(1000, by: 16)[100...]) == Array(sound[100..<1000]))
    #expect(rig.buffer.takeLost() == nil)
    #expect(rig.isClean)
  }
}
