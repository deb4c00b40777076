import Realtime
import TestSupport
import Testing

@testable import Playback

/// A player that takes the place of another at another rate.
@Suite struct PlayerHandoverTests {
  @Test func `track, place, volume, pan, section, shuffle and pause stay, to the second`() throws {
    let folder = Folder()
    let files = ["a", "b", "c"].map { name in
      folder.write(Wave.bytes([Float](repeating: 0.25, count: 480_000), channels: 1), "\(name).wav")
    }
    let old = try PlayerRig(files, rate: 44_100)
    old.player.obey(.shuffle(seed: 7))
    old.player.obey(.track(1))
    old.player.obey(.volume(0.3, fade: 0))
    old.player.obey(.pan(-0.5))
    old.player.obey(.section(2...9))
    old.player.obey(.seek(5))
    old.play(44_100)
    old.player.obey(.pause)
    old.play(44_100)
    let before = old.player.facts
    #expect(!before.isPlaying && before.track == 1 && abs(before.currentTime - 6) < 0.05)
    let new = try Player(
      files, channels: 1, hostRate: 96_000, isRealTime: false, transport: HostTransport(),
      following: old.player.handover)
    var after = new.facts
    after.deviceCurrentTime = before.deviceCurrentTime
    (after.underruns, after.missingSamples) = (before.underruns, before.missingSamples)
    #expect(abs(after.currentTime - before.currentTime) < 1e-3)
    after.currentTime = before.currentTime
    #expect(after == before)
    // What it had told it does not tell again.
    #expect(new.events(after: 0).count == old.player.events(after: 0).count)
    new.obey(.play)
    #expect(new.facts.isPlaying && new.facts.track == 1)
  }

  @Test func `what was stopped rests where it was, and what was over stays over`() throws {
    let folder = Folder()
    let path = folder.write(Wave.bytes([Float](repeating: 0.25, count: 48_000), channels: 1), "a.wav")
    let stopped = try PlayerRig([path])
    stopped.play(24_000)
    stopped.player.obey(.stop)
    stopped.play(4_800)
    let over = try PlayerRig([path])
    over.play(96_000)
    #expect(over.player.facts.isOver)
    for old in [stopped, over] {
      let new = try Player(
        [path], channels: 1, hostRate: 44_100, isRealTime: false, transport: HostTransport(),
        following: old.player.handover)
      #expect(!new.facts.isPlaying)
      #expect(new.facts.isOver == old.player.facts.isOver)
      #expect(abs(new.facts.currentTime - old.player.facts.currentTime) < 1e-3)
    }
  }
}
