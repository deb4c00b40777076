import Realtime
import TestSounds
import TestSupport
import Testing

@testable import Playback

/// A player that replaces another one at another rate.
@Suite struct PlayerHandoverTests {
  @Test func `track, place, volume, pan, section, shuffle and pause stay, to the second`() throws {
    let folder = Folder()
    let files = ["a", "b", "c"].map { name in
      folder.write(Wave.bytes([Float](repeating: 0.25, count: 480_000), channels: 1), "\(name).wav")
    }
    let old = try PlayerRig(files, rate: 44_100)
    old.player.perform(.shuffle(seed: 7))
    old.player.perform(.track(1))
    old.player.perform(.volume(0.3, fade: 0))
    old.player.perform(.pan(-0.5))
    old.player.perform(.section(2...9))
    old.player.perform(.seek(5))
    old.play(44_100)
    old.player.perform(.pause)
    old.play(44_100)
    let before = old.player.snapshot
    #expect(!before.isPlaying && before.track == 1 && abs(before.currentTime - 6) < 0.05)
    let new = try Player(
      files, channels: 1, hostRate: 96_000, isRealTime: false, transport: HostTransport(),
      replacing: old.player.handover)
    var after = new.snapshot
    after.deviceCurrentTime = before.deviceCurrentTime
    (after.underruns, after.missingSamples) = (before.underruns, before.missingSamples)
    #expect(abs(after.currentTime - before.currentTime) < 1e-3)
    after.currentTime = before.currentTime
    #expect(after == before)
    // Reported faults are not reported again.
    #expect(new.events(after: 0).count == old.player.events(after: 0).count)
    new.perform(.play)
    #expect(new.snapshot.isPlaying && new.snapshot.track == 1)
  }

  @Test func `a stopped player stays at its place, and one at its end stays there`() throws {
    let folder = Folder()
    let path = folder.write(Wave.bytes([Float](repeating: 0.25, count: 48_000), channels: 1), "a.wav")
    let stopped = try PlayerRig([path])
    stopped.play(24_000)
    stopped.player.perform(.stop)
    stopped.play(4_800)
    let over = try PlayerRig([path])
    over.play(96_000)
    #expect(over.player.snapshot.isOver)
    for old in [stopped, over] {
      let new = try Player(
        [path], channels: 1, hostRate: 44_100, isRealTime: false, transport: HostTransport(),
        replacing: old.player.handover)
      #expect(!new.snapshot.isPlaying)
      #expect(new.snapshot.isOver == old.player.snapshot.isOver)
      #expect(abs(new.snapshot.currentTime - old.player.snapshot.currentTime) < 1e-3)
    }
  }
}
