import TestSounds
import Testing

@testable import Playback

@Suite struct PlayerInterruptionTests {
  let folder = Folder()

  @Test func `an interrupted sound goes on at its place, along a ramp, and that is reported`() throws {
    let samples = noise(40_000)
    let path = folder.write(Wave.bytes(samples, channels: 1, rate: 48000), "a.wav")
    let rig = try PlayerRig([path])
    rig.play(10_000)
    rig.player.interruptionBegan()
    rig.player.interruptionBegan()
    #expect(rig.player.snapshot.isInterrupted)
    rig.player.interruptionEnded()
    rig.player.interruptionEnded()
    #expect(!rig.player.snapshot.isInterrupted)
    let recorded = rig.play(2000)[0]
    #expect(recorded[0] == 0)
    // A tenth of the ramp.
    let (rising, whole): (Float, Float) = (abs(recorded[48]), abs(samples[10_048]))
    #expect(rising < whole / 10)
    #expect(Array(recorded[480...]) == Array(samples[10_480..<12_000]))
    let reported = rig.player.events(after: 0).map(\.event).filter { event in
      [PlayerEvent.interruptionBegan, .interruptionEnded].contains(event)
    }
    #expect(reported == [.interruptionBegan, .interruptionEnded])
  }
}
