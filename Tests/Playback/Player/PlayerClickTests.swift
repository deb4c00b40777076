import Glibc
import Realtime
import TestSounds
import Testing

@testable import Playback

/// The clicks of a player: the second differences of its output, compared with those of its files.
///
/// A click at -60 dBFS is a second difference of 0.001. The files have less than that: 1 - cos, which begins and ends
/// with zero and without a corner.
@Suite struct PlayerClickTests {
  let folder = Folder()

  /// `level` · (1 - cos) at this frequency; begins and ends with 0.
  private func waves(_ frequency: Double, rate: Int, seconds: Double, level: Double = 0.25) -> String {
    let samples = [Float](count: Int(Double(rate) * seconds)) {
      Float(level * (1 - cos(2 * .pi * frequency * Double($0) / Double(rate))))
    }
    return folder.write(Wave.bytes(samples, channels: 1, rate: rate), "\(frequency)-\(rate).wav")
  }

  @Test(arguments: [(44100, 48000), (44100, 96000), (96000, 44100), (22050, 44100), (8000, 44100)])
  func `files of different rates follow each other without a click`(rates: (Int, Int)) throws {
    // Both are cut at the crest of a sine, as an album is cut into tracks: the join is smooth.
    func crest(_ rate: Int, _ name: String) -> String {
      let samples = [Float](count: rate) { Float(cos(2 * .pi * 100 * Double($0) / Double(rate))) }
      return folder.write(Wave.bytes(samples, channels: 1, rate: rate), name)
    }
    let files = [crest(rates.0, "a.wav"), crest(rates.1, "b.wav"), crest(rates.0, "c.wav")]
    let rig = try PlayerRig(files)
    let recorded = rig.play(150_000)[0]
    #expect(rig.player.end == 144_000)
    let omega = 2 * Double.pi * 100 / 48000
    // At its own rate a file has its own second differences.
    let own = Float(pow(2 * Double.pi * 100 / Double(min(rates.0, rates.1, 48000)), 2))
    let worst = recorded.bends[2000..<142_000].max()!
    #expect(worst < own + 0.001, "\(worst)")
    // Each file is at its place.
    for i in stride(from: 2000, to: 142_000, by: 7) {
      #expect(abs(Double(recorded[i]) - cos(omega * Double(i))) < 0.0001 + Double(own) / 2)
    }
  }

  @Test(arguments: [1.3, 0.7]) func `the same holds in varispeed`(_ rate: Double) throws {
    var settings = PlayerSettings()
    settings.rate = rate
    settings.pitch = .varispeed
    let files = [44100, 48000].map { rate in
      folder.write(
        Wave.bytes(
          [Float](count: rate) { Float(cos(2 * .pi * 100 * Double($0) / Double(rate))) }, channels: 1,
          rate: rate),
        "\(rate).wav")
    }
    let rig = try PlayerRig(files, settings: settings)
    let recorded = rig.play(160_000)[0]
    #expect(rig.player.end == Int64((96_000 / rate).rounded()))
    let omega = 2 * Double.pi * 100 * rate / 48000
    #expect(recorded.bends[2000..<Int(96_000 / rate) - 2000].max()! < Float(omega * omega) + 0.001)
  }

  @Test(arguments: [0.5, 0.8, 1.9]) func `another rate begins with the sound's first sample`(_ rate: Double)
    throws
  {
    var settings = PlayerSettings()
    settings.rate = rate
    let path = folder.write(
      Wave.bytes(Array(repeating: 0.5, count: 40_000), channels: 1, rate: 48000), "one.wav")
    let rig = try PlayerRig([path], settings: settings)
    #expect(rig.play(10_000)[0].allSatisfy { abs($0 - 0.5) < 1e-5 })
  }

  @Test(arguments: [1, 2, 50, 5000]) func `a file of any length between others keeps its length`(count: Int)
    throws
  {
    func file(_ count: Int, _ rate: Int, _ name: String) -> String {
      folder.write(Wave.bytes(Array(repeating: 0.5, count: count), channels: 1, rate: rate), name)
    }
    let files = [file(48_000, 48000, "a.wav"), file(count, 44100, "b.wav"), file(9600, 96000, "c.wav")]
    let rig = try PlayerRig(files)
    let recorded = rig.play(70_000)[0]
    let end = 48_000 + Resampler.length(of: Int64(count), from: 44100, to: 48000) + 4800
    #expect(rig.player.end == end)
    #expect(recorded[..<Int(end - 2000)].allSatisfy { abs($0 - 0.5) < 0.0001 })
  }

  @Test func `ten thousand random commands leave no click, and the position of the last one`() throws {
    let files = [
      waves(100, rate: 48000, seconds: 3), waves(90, rate: 44100, seconds: 2),
      waves(80, rate: 96000, seconds: 2),
    ]
    let storm = try storm(PlayerRig(files), streams: true)
    #expect(storm.rig.player.snapshot.underruns == 0)
    // Ramps and files are smooth, and crossfades of both have less than a click at -60 dBFS.
    #expect(storm.worst < 0.001, "\(storm.worst)")
  }

  @Test func `the same holds on a running thread that may be late`() throws {
    let files = [waves(100, rate: 48000, seconds: 3), waves(90, rate: 44100, seconds: 2)]
    let rig = try PlayerRig(files, isRealTime: true)
    rig.player.start()
    let storm = try storm(rig, streams: false)
    let snapshot = storm.rig.player.snapshot
    #expect((snapshot.underruns == 0) == (snapshot.missingSamples == 0))
    #expect(storm.worst < 0.001, "\(storm.worst)")
  }

  private func storm(_ rig: PlayerRig, streams: Bool) throws -> (rig: PlayerRig, worst: Float) {
    rig.player.perform(.again(.all))
    var state: UInt64 = 11
    func chance(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    for _ in 0..<10_000 {
      switch chance(20) {
      case 0: rig.player.perform(.rate(Double(chance(16) + 5) / 10))
      case 1: rig.player.perform(.pitch(chance(2) == 0 ? .kept : .varispeed))
      case 2: rig.player.perform(.loop([.forever, .times(1), .times(3)][chance(3)]))
      case 3:
        let from = Double(chance(20)) / 10
        rig.player.perform(.section(chance(2) == 0 ? nil : from...(from + 0.3)))
      case 4, 5: rig.player.perform([.pause, .stop, .rewind][chance(3)])
      case 6, 7, 8: rig.player.perform(.play)
      case 9: rig.player.perform(.volume(Float(chance(11)) / 10, fade: chance(3) == 0 ? 0.3 : 0))
      case 10: rig.player.perform([.next, .previous, .track(chance(3))][chance(3)])
      default: rig.player.perform(.seek(Double(chance(3000)) / 1000))
      }
      rig.play(chance(600) + 1, by: [64, 256, 600][chance(3)], streams: streams)
    }
    let end: [PlayerCommand] = [
      .section(nil), .rate(1), .volume(1, fade: 0), .track(0), .seek(0.5), .play,
    ]
    for command in end { rig.player.perform(command) }
    rig.player.fill()
    rig.play(20_000)
    #expect(rig.player.snapshot.track == 0)
    #expect(rig.player.snapshot.currentTime == Double(rig.player.crossfade.heard!.position + 24_000) / 48000)
    if streams { #expect(rig.player.snapshot.currentTime == 44_000 / 48000.0) }
    let position = Int((rig.player.snapshot.currentTime * 48000).rounded())
    let expected = Float(0.25 * (1 - cos(2 * .pi * 100 * Double(position - 1) / 48000)))
    #expect(rig.recorded[0].last == expected)
    // Only the second differences of the files, scaled by gains; filters overshoot a little.
    #expect(rig.recorded[0].allSatisfy { $0 > -0.01 && $0 < 0.51 })
    return (rig, rig.recorded[0].bends.max()!)
  }
}
