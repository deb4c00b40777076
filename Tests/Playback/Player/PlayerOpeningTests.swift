import Glibc
import Realtime
import System
import TestSounds
import TestSupport
import Testing

@testable import Playback

/// Files that are opened before a player goes to them, so that unplayable ones are refused.
@Suite struct PlayerOpeningTests {
  let folder = Folder()
  let song = noise(200_000)

  private func wave(_ samples: [Float], _ name: String, rate: Int = 48_000) -> String {
    folder.write(Wave.bytes(samples, channels: 1, rate: rate), name)
  }

  private func text(_ text: String, _ name: String) -> String { folder.write(Array(text.utf8), name) }

  /// The code and sentence with which a command is refused; nil if its file is open.
  private func refusal(_ player: Player, _ command: PlayerCommand) -> OpenRefusal? {
    do throws(OpenRefusal) {
      _ = try player.open(command)
      return nil
    } catch {
      return error
    }
  }

  @Test func `an unplayable file is refused with its reason, and the present one plays on to the sample`()
    throws
  {
    let rig = try PlayerRig([wave(song, "song.wav")])
    rig.play(1000)
    let garbage = text("this is no sound", "garbage.wav")
    let nothing = folder["nothing"]
    try #require(mkdir(nothing, 0o700) == 0)
    let cases: [(path: String, code: String)] = [
      (garbage, "audio-format"), (text("", "empty.wav"), "audio-empty"),
      (wave([], "none.wav"), "audio-empty"),
      (wave(song, "slow.wav", rate: 500), "audio-rate"), (nothing, "list-empty"),
      (folder["gone.wav"], "list-missing"), ("/dev/zero", "list-not-a-file"),
      (text("gone.wav\n", "gone.m3u"), "list-missing"),
      (text("gone.wav\ngarbage.wav\nempty.wav\n", "bad.m3u"), "audio-format"),
    ]
    for (path, code) in cases {
      #expect(refusal(rig.player, .load([path]))?.code == code, "\(path)")
      rig.play(1000)
    }
    #expect(
      refusal(rig.player, .load([folder["bad.m3u"]]))?.message
        == "none of 2 files can be played; the first: "
        + AudioError(
          .notAudio, path: garbage, reason: "it is text"
        ).message)
    #expect(rig.recorded[0] == Array(song[..<(1000 * (cases.count + 1))]))
    #expect(rig.player.errors == 0 && rig.player.snapshot.fault == nil)
    #expect(rig.player.snapshot.path == folder["song.wav"])
  }

  @Test func `unplayable files of a list are skipped, and reported`() throws {
    let rig = try PlayerRig([wave(song, "song.wav")])
    rig.play(1000)
    let garbage = text("this is no sound", "garbage.wav")
    let good = noise(5000, seed: 7)
    _ = wave(good, "good.wav")
    let list = text("gone.wav\ngarbage.wav\ngood.wav\n", "list.m3u")
    rig.player.perform(try rig.player.open(.load([list])))
    // The crossfade from the song takes 10 ms, 480 samples.
    #expect(Array(rig.play(1000)[0][480...]) == Array(good[480..<1000]))
    let snapshot = rig.player.snapshot
    #expect(snapshot.path == folder["good.wav"] && snapshot.track == 1 && snapshot.tracks == 2)
    #expect(snapshot.fault?.path == garbage && snapshot.leftOut?.path == folder["gone.wav"])
    let events = rig.player.events(after: 0).map(\.event)
    #expect(events.contains(.leftOut(try #require(snapshot.leftOut))))
    #expect(events.contains(.skipped(try #require(snapshot.fault))))
    // Another list begins without a fault.
    rig.player.perform(try rig.player.open(.load([folder["song.wav"]])))
    rig.play(1000)
    #expect(rig.player.snapshot.fault == nil && rig.player.snapshot.leftOut == nil)
  }

  @Test func `next and previous skip unplayable files, or are refused if no other is left`()
    throws
  {
    let garbage = text("this is no sound", "garbage.wav")
    let (a, b) = (wave(song, "a.wav"), wave(noise(9000, seed: 5), "b.wav"))
    let rig = try PlayerRig([a, garbage, b, garbage])
    rig.play(1000)
    #expect(refusal(rig.player, .track(1))?.code == "audio-format")
    #expect(try rig.player.open(.next).command == .track(2))
    rig.player.perform(try rig.player.open(.next))
    rig.play(1000)
    #expect(rig.player.snapshot.track == 2)
    #expect(refusal(rig.player, .next)?.code == "audio-format")
    rig.play(500)
    #expect(rig.player.snapshot.track == 2 && rig.player.snapshot.isPlaying)
    #expect(try rig.player.open(.previous).command == .track(0))
    // In a repeated list the first track follows the last.
    rig.player.perform(.again(.all))
    #expect(try rig.player.open(.next).command == .track(0))
    // After the last track of a list there is none to open.
    rig.player.perform(.again(.off))
    rig.player.perform(.load([a]))
    rig.play(1000)
    #expect(try !rig.player.open(.next).isOpen)
  }

  @Test func `a file that was opened for the check is played from that descriptor`() throws {
    let opened = Locked(0)
    let (a, b) = (wave(song, "a.wav"), wave(noise(9000, seed: 5), "b.wav"))
    let rig = try PlayerRig([a]) { path throws(AudioError) in
      opened.withLock { $0 += 1 }
      return try openAudio(path)
    }
    rig.play(100)
    let command = try rig.player.open(.load([b]))
    // The file may have been deleted by then.
    try #require(unlink(b) == 0)
    rig.player.perform(command)
    #expect(Array(rig.play(8000)[0][480...]) == Array(noise(9000, seed: 5)[480..<8000]))
    #expect(opened.withLock { $0 } == 2)
  }
}
