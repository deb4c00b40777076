import Glibc
import Realtime
import Synchronization
import TestSounds
import Testing

@testable import Playback

/// The effect of each command, to the sample.
@Suite struct PlayerCommandTests {
  let folder = Folder()

  private func wave(_ samples: [Float], _ name: String = "a.wav", channels: Int = 1) -> String {
    folder.write(Wave.bytes(samples, channels: channels, rate: 48000), name)
  }

  // MARK: - Gains

  @Test func `a mono file keeps its power at any pan, and the center is exact`() throws {
    for step in -10...10 {
      let (left, right) = Pan.gains(Float(step) / 10, isMono: true)
      #expect(abs(left * left + right * right - 2) < 1e-6)
    }
    #expect(Pan.gains(0, isMono: true) == (1, 1))
    #expect(Pan.gains(1, isMono: true).left < 1e-7)
    let samples = noise(20_000)
    var settings = PlayerSettings()
    settings.pan = 0.5
    let rig = try PlayerRig([wave(samples)], settings: settings, channels: 2)
    let recorded = rig.play(5000)
    let (left, right) = Pan.gains(0.5, isMono: true)
    // From the first sample on.
    #expect(recorded[0] == samples[..<5000].map { $0 * left })
    #expect(recorded[1] == samples[..<5000].map { $0 * right })
    rig.player.perform(.pan(0))
    #expect(rig.play(5000).map { Array($0[480...]) } == [0, 1].map { _ in Array(samples[5480..<10_000]) })
  }

  @Test func `of a stereo file only the channel away from the pan gets quieter`() throws {
    let samples = noise(40_000)
    let rig = try PlayerRig([wave(samples, channels: 2)], channels: 2)
    rig.player.perform(.pan(-0.5))
    let recorded = rig.play(5000)
    let gain = Pan.gains(-0.5, isMono: false).right
    #expect(abs(gain - Float(0.5.squareRoot())) < 1e-6)
    #expect(recorded[0] == Array(channel(0, of: samples, channels: 2)[..<5000]))
    #expect(recorded[1] == channel(1, of: samples, channels: 2)[..<5000].map { $0 * gain })
    #expect(Pan.gains(-1, isMono: false).left == 1 && Pan.gains(-1, isMono: false).right < 1e-7)
    #expect(Pan.gains(1, isMono: false).right == 1 && Pan.gains(0, isMono: false) == (1, 1))
  }

  @Test func `a volume fades along a straight line in its time if requested`() throws {
    let rig = try PlayerRig([wave(Array(repeating: 0.5, count: 40_000))])
    rig.play(1000)
    rig.player.perform(.volume(0.25, fade: 0.1, isLinear: true))
    let recorded = rig.play(6000)[0]
    for i in 0..<4800 {
      let expected: Float = 0.5 * (1 - 0.75 * Float(i + 1) / 4800)
      #expect(abs(recorded[i] - expected) < 1e-6)
    }
    #expect(recorded[4800...].allSatisfy { $0 == 0.125 })
    #expect(rig.player.snapshot.settings.volume == 0.25)
  }

  @Test(arguments: [(from: Float(1), to: Float(0.125)), (0.008, 1), (1, 0)])
  func `a volume fades evenly for the ear: its cube root is a straight line`(
    _ way: (from: Float, to: Float)
  ) throws {
    let rig = try PlayerRig([wave(Array(repeating: 0.5, count: 40_000))])
    rig.player.perform(.volume(way.from, fade: 0))
    rig.play(1000)
    rig.player.perform(.volume(way.to, fade: 0.25))
    let recorded = rig.play(13_000)[0]
    let roots = (cbrt(Double(way.from)), cbrt(Double(way.to)))
    for i in 0..<12_000 {
      let root = roots.0 + (roots.1 - roots.0) * Double(i + 1) / 12_000
      #expect(abs(Double(recorded[i]) - 0.5 * root * root * root) < 1e-6)
    }
    #expect(recorded[12_000...].allSatisfy { $0 == 0.5 * way.to })
    // The middle of a fade to silence is 18 dB down, as on a console's fader, and not 6.
    if way.to == 0 { #expect(abs(20 * log10(recorded[5999] / 0.5) + 18.06) < 0.01) }
  }

  @Test func `a fade is replaced by the next one without a jump, whatever its curve`() throws {
    let rig = try PlayerRig([wave(Array(repeating: 0.5, count: 90_000))])
    rig.play(1000)
    var recorded: [Float] = []
    for (volume, isLinear) in [(Float(0), false), (1, true), (0.2, false), (0.9, false), (0, true)] {
      rig.player.perform(.volume(volume, fade: 0.4, isLinear: isLinear))
      recorded += rig.play(9000)[0]
    }
    // At most 0.5 of 1, along the steepest of these: 3 ÷ 19,200 a sample.
    #expect(zip(recorded, recorded.dropFirst()).allSatisfy { abs($1 - $0) < 0.5 * 3 / 19_200 * 1.01 })
    #expect(recorded.max()! > 0.25 && recorded.min()! < 0.1)
  }

  @Test func `a pan takes its stated time`() throws {
    let rig = try PlayerRig([wave(Array(repeating: 0.5, count: 40_000), channels: 2)], channels: 2)
    rig.play(1000)
    rig.player.perform(.pan(-1, fade: 0.1))
    let recorded = rig.play(6000)
    #expect(recorded[0].allSatisfy { $0 == 0.5 })
    for i in 0..<4800 { #expect(abs(recorded[1][i] - 0.5 * (1 - Float(i + 1) / 4800)) < 1e-6) }
    #expect(recorded[1][4800...].allSatisfy { abs($0) < 1e-7 })
  }

  // MARK: - Transport

  @Test(arguments: [1, 64, 1000])
  func `playing starts at the stated sample of the device's clock`(size: Int) throws {
    let samples = noise(20_000)
    var settings = PlayerSettings()
    settings.plays = false
    let rig = try PlayerRig([wave(samples)], settings: settings)
    rig.play(100, by: size)
    #expect(rig.player.snapshot.deviceCurrentTime == 100 / 48000.0)
    rig.player.perform(.playAt(1234 / 48000.0))
    #expect(rig.player.snapshot.isPlaying)
    let recorded = rig.play(3000, by: size)[0]
    let expected = [Float](repeating: 0, count: 1134) + samples[..<1866]
    #expect(recorded == expected)
    rig.player.perform(.playAt(0))
    #expect(rig.play(1000, by: size)[0] == Array(samples[1866..<2866]))
  }

  @Test func `a section repeats with its exact length, and its crossfade is inaudible`() throws {
    let samples = noise(100_000)
    let rig = try PlayerRig([wave(samples)])
    rig.player.perform(.section(0.5...1))
    let recorded = rig.play(100_000)[0]
    #expect(Array(recorded[480..<24_000]) == Array(samples[24_480..<48_000]))
    for play in 1...3 {
      let begin = play * 24_000
      #expect(Array(recorded[begin + 480..<begin + 24_000]) == Array(samples[24_480..<48_000]))
    }
    // A sine is cut at its crest and goes on at its zero: its own second difference is 0.5·ω², and the crossfade adds
    // less than -60 dBFS.
    let omega = 2 * Double.pi * 100.5 / 48000
    let sine = [Float](count: 100_000) { Float(0.5 * sin(omega * Double($0))) }
    let other = try PlayerRig([wave(sine, "sine.wav")])
    other.player.perform(.section(0.5...1.0025))
    other.play(90_000)
    #expect(other.recorded[0].bends[2000...].max()! < Float(0.5 * omega * omega) + 0.001)
  }

  @Test func `next, previous and track go to their tracks`() throws {
    let sounds = (1...3).map { noise(200_000, seed: UInt64($0)) }
    let files = sounds.enumerated().map { wave($1, "\($0).wav") }
    let rig = try PlayerRig(files)
    func goesTo(_ command: PlayerCommand, _ track: Int, sample: Int = 0) {
      rig.player.perform(command)
      #expect(Array(rig.play(1000)[0][480...]) == Array(sounds[track][sample + 480..<sample + 1000]))
      #expect(rig.player.snapshot.track == track)
      #expect(rig.player.snapshot.path == files[track])
    }
    rig.play(1000)
    goesTo(.next, 1)
    goesTo(.track(2), 2)
    goesTo(.previous, 1)
    // Once the track has played for more than 3 s, previous goes to its beginning first.
    goesTo(.seek(3.5), 1, sample: 168_000)
    goesTo(.previous, 1)
    goesTo(.previous, 0)
    goesTo(.previous, 0)
    rig.player.perform(.track(7))
    rig.player.perform(.track(-1))
    #expect(Array(rig.play(1000)[0]) == Array(sounds[0][1000..<2000]))
    goesTo(.track(2), 2)
    // After the last track the player stops at the beginning of the list.
    rig.player.perform(.next)
    rig.play(1000)
    #expect(!rig.player.snapshot.isPlaying)
    #expect(rig.player.snapshot.track == 0 && rig.player.snapshot.currentTime == 0)
    rig.player.perform(.again(.all))
    rig.player.perform(.play)
    goesTo(.previous, 2)
    goesTo(.next, 0)
  }

  @Test func `a shuffled list has every track once, in the same order for the same seed`() throws {
    let files = (0..<12).map { wave(noise(700, seed: UInt64($0 + 1)), "\($0).wav") }
    func order(_ seed: UInt64?, again: PlayerCommand.RepeatMode, samples: Int) throws -> [Int] {
      var settings = PlayerSettings()
      settings.shuffle = seed
      settings.repeatMode = again
      let rig = try PlayerRig(files, settings: settings)
      rig.play(samples)
      return rig.player.events(after: 0).compactMap {
        if case .track(let track, _) = $0.event { track } else { nil }
      }
    }
    let once = try order(5, again: .off, samples: 10_000)
    #expect(once.sorted() == Array(0..<12))
    #expect(once != Array(0..<12))
    var settings = PlayerSettings()
    settings.shuffle = 5
    let rig = try PlayerRig(files, settings: settings)
    #expect(rig.player.coming(3) == Array(once[1...3]) && rig.player.coming(20) == Array(once.dropFirst()))
    rig.player.perform(.again(.one))
    #expect(rig.player.coming(3) == [] && rig.player.coming(0) == [])
    #expect(try order(5, again: .off, samples: 10_000) == once)
    #expect(try order(6, again: .off, samples: 10_000) != once)
    #expect(try order(nil, again: .off, samples: 10_000) == Array(0..<12))
    #expect(try order(5, again: .all, samples: 12 * 700 * 3 - 10) == once + once + once)
    #expect(try order(5, again: .one, samples: 10_000) == [once[0]])
  }

  @Test func `other files replace the old ones at once`() throws {
    let rig = try PlayerRig([wave(noise(100_000))])
    rig.play(2000)
    let sounds = (1...2).map { noise(3000, seed: UInt64($0 + 5)) }
    mkdir(folder["album"], 0o700)
    for (i, sound) in sounds.enumerated() { _ = wave(sound, "album/\(i + 1).wav") }
    rig.player.perform(.load([folder["album"]]))
    let recorded = rig.play(7000)[0]
    #expect(Array(recorded[480..<6000]) == Array((sounds[0] + sounds[1])[480...]))
    #expect(recorded[6000...].allSatisfy { $0 == 0 })
    #expect(rig.player.files == (1...2).map { folder["album"] + "/\($0).wav" })
    #expect(rig.player.snapshot.isOver)
    // A missing file is reported, and does not count as played.
    rig.player.perform(.load([folder["nothing.wav"]]))
    rig.player.perform(.play)
    rig.play(2000)
    let events = rig.player.events(after: 0).map(\.event)
    #expect(events.last == .finished(successfully: false))
    #expect(rig.player.snapshot.fault?.code == .missing)
  }

  @Test func `an interruption is reported, and the sound goes on at its place along a ramp`() throws {
    let samples = noise(100_000)
    let rig = try PlayerRig([wave(samples)])
    rig.play(5000)
    rig.player.interruptionBegan()
    rig.player.interruptionBegan()
    #expect(rig.player.snapshot.isInterrupted && rig.player.snapshot.isPlaying)
    // No callback runs: commands wait for nothing, and only the newest is kept.
    for i in 0..<500 {
      rig.player.perform(.seek(Double(i % 2)))
      rig.player.fill()
    }
    rig.player.perform(.seek(1))
    rig.player.interruptionEnded()
    #expect(!rig.player.snapshot.isInterrupted)
    let recorded = rig.play(2000)[0]
    #expect(recorded[0] == 0)
    #expect(Array(recorded[480...]) == Array(samples[48_480..<50_000]))
    #expect(
      rig.player.events(after: 1).map(\.event) == [.interruptionBegan, .interruptionEnded])
  }

  // MARK: - Ends

  @Test func `a seek to the end while paused is no reported end, and playing there is`() throws {
    let samples = noise(20_000)
    let rig = try PlayerRig([wave(samples)])
    rig.play(1000)
    rig.player.perform(.pause)
    rig.play(1000)
    rig.player.perform(.seek(100))
    rig.play(1000)
    #expect(rig.player.snapshot.currentTime == 20_000 / 48000.0)
    #expect(rig.player.events(after: 1).isEmpty)
    #expect(rig.finish().endings == 0)
    rig.player.perform(.play)
    #expect(rig.play(1000)[0] == Array(samples[..<1000]))
    rig.player.perform(.seek(100))
    rig.play(1000)
    #expect(rig.player.events(after: 1).map(\.event) == [.finished(successfully: true)])
    #expect(rig.finish().endings == 1)
  }

  @Test func `a transport located past the end does not report an end`() throws {
    var settings = PlayerSettings()
    settings.transport = .follow
    let transport = HostTransport()
    func set(_ state: HostTransportShared.State, at frame: Int64) {
      transport.shared.pointee.wanted.store(frame, ordering: .relaxed)
      transport.shared.pointee.sample.store(frame, ordering: .relaxed)
      transport.shared.pointee.state.store(state.rawValue, ordering: .releasing)
    }
    set(.stopped, at: 50_000)
    let rig = try PlayerRig([wave(noise(20_000))], settings: settings, transport: transport)
    rig.play(1000)
    set(.rolling, at: 50_000)
    rig.play(1000)
    set(.rolling, at: 20_000)
    rig.play(1000)
    #expect(rig.player.events(after: 0).isEmpty)
    #expect(rig.finish().endings == 0)
    set(.rolling, at: 15_000)
    rig.play(6000)
    #expect(rig.player.events(after: 1).map(\.event) == [.finished(successfully: true)])
    #expect(rig.finish().endings == 1)
  }
}
