import Realtime
import TestSounds
import Testing

@testable import Playback

@Suite struct PlayerTests {
  let folder = Folder()

  private func wave(_ samples: [Float], _ name: String = "a.wav", rate: Int = 48000, channels: Int = 1)
    -> String
  {
    folder.write(Wave.bytes(samples, channels: channels, rate: rate), name)
  }

  @Test(arguments: [1, 32, 127, 1000, 4096])
  func `a file is played exactly, from its first sample to its last`(size: Int) throws {
    let samples = noise(2 * 40_009)
    let rig = try PlayerRig([wave(samples, channels: 2)], channels: 2)
    let recorded = rig.play(50_000, by: size)
    for index in 0..<2 {
      #expect(
        recorded[index] == channel(index, of: samples, channels: 2)
          + Array(repeating: 0, count: 50_000 - 40_009)
      )
    }
    let snapshot = rig.player.snapshot
    #expect(snapshot.isOver)
    #expect(!snapshot.isPlaying)
    #expect(snapshot.currentTime == 40_009 / 48000.0)
    #expect(snapshot.underruns == 0)
    #expect(rig.player.end == 40_009)
    #expect(
      rig.player.events(after: 0).map(\.event)
        == [.track(0, path: folder["a.wav"]), .finished(successfully: true)])
    #expect(rig.finish() == (true, 1))
  }

  @Test func `a seek during play goes on with the exact samples after the ramp`() throws {
    let samples = noise(400_000)
    let rig = try PlayerRig([wave(samples)])
    rig.play(10_000)
    rig.player.perform(.seek(5))
    #expect(rig.player.snapshot.currentTime == 5)
    let recorded = rig.play(20_000)[0]
    // The old sound fades out in 480 samples, while the new one fades in.
    #expect(Array(recorded[480...]) == Array(samples[240_480..<260_000]))
    #expect(rig.player.snapshot.currentTime == 260_000 / 48000.0)
  }

  @Test func `the player pauses along a ramp and goes on with the next sample`() throws {
    let samples = noise(100_000)
    let rig = try PlayerRig([wave(samples)])
    rig.play(1000)
    rig.player.perform(.pause)
    #expect(!rig.player.snapshot.isPlaying)
    let falling = rig.play(1000)[0]
    #expect(falling[480...].allSatisfy { $0 == 0 })
    #expect(rig.player.snapshot.currentTime == 1480 / 48000.0)
    rig.player.perform(.play)
    let rising = rig.play(1000)[0]
    #expect(Array(rising[480...]) == Array(samples[1960..<2480]))
  }

  @Test(arguments: [0, 100, 479, 480])
  func `a seek while paused is exact to the sample, also during the ramp`(meanwhile: Int) throws {
    let samples = noise(400_000)
    let rig = try PlayerRig([wave(samples)])
    rig.play(10_000)
    rig.player.perform(.pause)
    let falling = rig.play(meanwhile)[0]
    rig.player.perform(.seek(5))
    let fallen = falling + rig.play(1000)[0]
    // The old sound fades out as without the seek, and nothing of the new place is heard.
    #expect(zip(fallen, samples[10_000...]).allSatisfy { abs($0) <= abs($1) })
    #expect(fallen[480...].allSatisfy { $0 == 0 })
    #expect(rig.player.snapshot.currentTime == 5)
    rig.player.perform(.play)
    #expect(Array(rig.play(1000)[0][480...]) == Array(samples[240_480..<241_000]))
  }

  @Test func `a seek before a future start is heard from its place, to the sample`() throws {
    let samples = noise(400_000)
    let rig = try PlayerRig([wave(samples)])
    rig.play(10_000)
    rig.player.perform(.seek(5))
    rig.player.perform(.playAt(11_000 / 48_000))
    #expect(rig.play(1000)[0][480...].allSatisfy { $0 == 0 })
    #expect(Array(rig.play(1000)[0][480...]) == Array(samples[240_480..<241_000]))
  }

  @Test func `stop keeps the position, and rewind goes to the beginning`() throws {
    let samples = noise(100_000)
    let rig = try PlayerRig([wave(samples)])
    rig.play(20_000)
    rig.player.perform(.stop)
    rig.play(1000)
    #expect(rig.player.snapshot.currentTime == 20_000 / 48000.0)
    rig.player.perform(.play)
    #expect(rig.player.snapshot.isPlaying)
    let again = rig.play(1000)[0]
    #expect(Array(again[480...]) == Array(samples[20_480..<21_000]))
    rig.player.perform(.rewind)
    rig.play(1000)
    #expect(rig.player.snapshot.currentTime == 0)
    rig.player.perform(.play)
    #expect(rig.play(1000)[0] == Array(samples[..<1000]))
  }

  @Test func `a loop and a list have no gap, at the host's rate to the sample`() throws {
    let first = noise(9001, seed: 1)
    let second = noise(5000, seed: 2)
    var settings = PlayerSettings()
    settings.loop = .times(2)
    let rig = try PlayerRig([wave(first), wave(second, "b.wav")], settings: settings)
    let recorded = rig.play(30_000)[0]
    let once = first + second
    #expect(recorded == once + once + Array(repeating: 0, count: 30_000 - 28_002))
    #expect(
      rig.player.events(after: 1).map(\.event) == [
        .track(1, path: folder["b.wav"]), .track(0, path: folder["a.wav"]), .track(1, path: folder["b.wav"]),
        .finished(successfully: true),
      ])
  }

  @Test func `a change of the loop is heard without a seam`() throws {
    let samples = noise(40_000)
    let rig = try PlayerRig([wave(samples)])
    rig.play(10_000)
    rig.player.perform(.loop(.forever))
    let recorded = rig.play(100_000)[0]
    let expected = samples + samples + samples
    // Outside the ramp of the splice bit by bit; within it up to the rounding of a crossfade of two equal sounds.
    let far = zip(recorded, expected[10_000...]).enumerated().filter { $1.0 != $1.1 }
    #expect(far.allSatisfy { abs($1.0 - $1.1) < 1e-6 })
    #expect(far.count <= 480)
  }
}
