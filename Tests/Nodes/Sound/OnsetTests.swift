import CRealtime
import Engine
import Glibc
import TestSounds
import TestSupport
import Testing

@testable import Nodes

/// Events at the onsets of sounds.
@Suite struct OnsetTests {
  /// The times of the onsets, and the ends of the frames of 2 ms that reported them, in seconds.
  private func onsets(_ samples: [Float], _ settings: String = "") throws -> (
    times: [Double], reported: [Double]
  ) {
    let rig = try Signal.measured("type: onset\(settings)", [samples], fps: "500")
    var (times, reported) = ([Double](), [Double]())
    for frame in rig.frames {
      for event in frame.events {
        times.append(Double(event.sample) / 48_000)
        reported.append(Double(frame.header.endSample) / 48_000)
      }
    }
    return (times, reported)
  }

  @Test func `a threshold moved while a sound goes on makes no onset`() throws {
    let rig = try GraphRig(
      """
      nodes:
        noise: { type: tone-source, tone: pink, level: -20 }
        start: { type: onset, gate: -50, sensitivity: 0.5 }
      wires: [noise -> start]
      """)
    for _ in 0..<120 { rig.process(800) }
    for gate in stride(from: -55, through: -70, by: -5) {
      let before = rig.frames.suffix(30).flatMap(\.events).count
      #expect(try rig.set("start.gate", to: "\(gate)"))
      for _ in 0..<4 { rig.process(800) }
      #expect(rig.frames.suffix(4).flatMap(\.events).isEmpty, "\(gate), \(before)")
      for _ in 0..<30 { rig.process(800) }
    }
  }

  @Test func `all drum hits over a range of 20 dB are detected, and reported within 20 ms`() throws {
    var dice = Dice(7)
    var (times, time) = ([Double](), 0.5)
    for _ in 0..<92 {
      times.append(time)
      time += Double.random(in: 0.12...0.45, using: &dice)
    }
    var music = Music.floor(Int((time + 1) * 48_000), 1e-4)
    for (n, time) in times.enumerated() {
      let amplitude = pow(10, -Double.random(in: 3...23, using: &dice) / 20)
      let sounds = [Music.kick, Music.snare, Music.hat]
      let sound = n % 4 == 3 ? Music.tom(amplitude) : sounds[n % 4](amplitude, n)
      Music.put(sound, at: time, in: &music)
    }
    let (found, reported) = try onsets(music)
    #expect(Music.score(found, times, within: 0.025) >= 0.99, "\(found.count) of 92")
    let delays = reported.compactMap { now in times.last { $0 < now }.map { now - $0 } }.sorted()
    #expect(delays[delays.count * 95 / 100] <= 0.020)
  }

  @Test func `notes with soft attacks and vibrato are detected`() throws {
    var dice = Dice(11)
    var music = Music.floor(48 * 48_000, 3e-5)
    var (times, time) = ([Double](), 0.5)
    for _ in 0..<88 {
      let seconds = Double.random(in: 0.25...0.55, using: &dice)
      let frequency = 220 * exp2(Double(Int.random(in: -5...17, using: &dice)) / 12)
      let amplitude = 0.15 * pow(10, -Double.random(in: 0...10, using: &dice) / 20)
      Music.put(Music.note(frequency, seconds: seconds, amplitude), at: time, in: &music)
      times.append(time)
      time += seconds
    }
    let found = try onsets(Array(music.prefix(Int((time + 1) * 48_000)))).times
    #expect(Music.score(found, times, within: 0.05) >= 0.9, "\(found.count) of 88")
  }

  @Test func `silence, a steady tone and a noise floor have no onset`() throws {
    let count = 60 * 48_000
    let tone = [Float](count: count) { i in
      Float(0.3 * min(1, Double(i) / 48_000) * sin(2 * .pi * 440 * Double(i) / 48_000))
    }
    for samples in [Array(repeating: 0, count: count), tone, Music.floor(count, 1.7e-3)] {
      #expect(try onsets(samples).times.isEmpty)
    }
  }

  @Test(arguments: [41, 49, 55, 65, 82, 110])
  func `a held sawtooth and a held square, whose partials beat in one band, have no onset`(_ frequency: Int)
    throws
  {
    for odd in [false, true] {
      let sound = Music.held(frequency, 0.3, odd: odd)
      for level in [0, -10, -20, -30, -40] {
        let factor = Float(pow(10, Double(level) / 20))
        let found = try onsets(sound.map { $0 * factor }).times.filter { $0 > 1 }
        #expect(found.isEmpty, "\(odd) at \(level) dB: \(found.count)")
      }
    }
  }

  @Test func `hum, an organ and detuned strings have no onset`() throws {
    let strings = zip(
      Music.held(110, 0.1, seconds: 8, shift: 7919), Music.held(111, 0.1, seconds: 8, shift: 1237)
    ).map {
      $0 + $1
    }
    for sound in [Music.held(50, 0.1), Music.held(131, 0.05, odd: true), Music.held(196, 0.05), strings] {
      let found = try onsets(sound).times.filter { $0 > 1 }
      #expect(found.isEmpty, "\(found)")
    }
  }

  @Test func `drums over a held bass are detected, with few false onsets`() throws {
    var dice = Dice(5)
    var music = Music.held(55, 0.1, seconds: 24)
    var times: [Double] = []
    for n in 0..<60 {
      let time = 1 + Double(n) * 0.36 + Double.random(in: -0.01...0.01, using: &dice)
      let amplitude = pow(10, -Double.random(in: 3...9, using: &dice) / 20)
      Music.put([Music.kick, Music.snare, Music.hat][n % 3](amplitude, n), at: time, in: &music)
      times.append(time)
    }
    let found = try onsets(music).times.filter { $0 > 0.8 }
    #expect(
      Music.score(found, times, within: 0.025) >= 0.75,
      "\(found.count) of 60, \(Music.score(found, times, within: 0.025))")
  }

  @Test func `the level falls from the onset on, and a gap suppresses further ones`() throws {
    var music = Music.floor(96_000, 1e-5)
    for time in [0.5, 0.6, 1.2] { Music.put(Music.kick(0.5), at: time, in: &music) }
    let rig = try Signal.measured("type: onset, gap: 0.2 s, decay: 0.1 s", [music])
    let events = rig.frames.flatMap(\.events).map { Double($0.sample) / 48_000 }
    #expect(events.count == 2 && abs(events[0] - 0.5) < 0.01 && abs(events[1] - 1.2) < 0.01)
    let levels = try rig.levels("m/1")
    #expect(levels[29] == 0 && levels[30] == 1 && levels[33] < levels[32] && levels[37] == 0)
  }

  @Test(arguments: ["60", "120", "500"])
  func `each onset is seen in a frame, however short its decay`(fps: String) throws {
    var music = Music.floor(8 * 48_000, 1e-4)
    // The period is no multiple of a frame.
    for n in 0..<40 { Music.put(Music.snare(0.3, seed: n), at: 0.1 + 0.1837 * Double(n), in: &music) }
    let rig = try Signal.measured("type: onset, decay: 0 s", [music], fps: fps)
    let isFound = rig.frames.map { !$0.events.isEmpty }
    #expect(isFound.filter { $0 }.count >= 30)
    let expected: [Float] = isFound.map { $0 ? 1 : 0 }
    #expect(try rig.levels("m/1") == expected)
  }

  @Test func `a frequency range lets only kicks fire, under hats, chords and a bass`() throws {
    var music = Music.floor(10 * 48_000, 1e-4)
    let kicks = (0..<14).map { 0.5 + 0.6 * Double($0) }
    for (n, time) in kicks.enumerated() {
      Music.put(Music.kick(n % 3 == 2 ? 0.25 : 0.6, seed: n), at: time, in: &music)
      for late in [0.15, 0.3, 0.45] { Music.put(Music.hat(0.6, seed: n), at: time + late, in: &music) }
      Music.put(Music.note(880, seconds: 0.1, 0.1), at: time + 0.225, in: &music)
      Music.put(Music.note(55, seconds: 0.2, 0.02), at: time + 0.3, in: &music)
    }
    let all = try onsets(music).times
    #expect(all.count > 30)
    let (found, reported) = try onsets(music, ", from: 100 Hz, to: 250 Hz, gate: -36 dB, sensitivity: 47 %")
    #expect(found.count == 14 && Music.score(found, kicks, within: 0.025) == 1, "\(found)")
    #expect(zip(reported, kicks).allSatisfy { $0 - $1 < 0.035 })
  }

  @Test func `a range above half the sample rate detects nothing`() throws {
    var music = Music.floor(48_000, 1e-4)
    Music.put(Music.snare(0.5), at: 0.5, in: &music)
    #expect(try onsets(music, ", from: 100 kHz, to: 190 kHz").times.isEmpty)
  }

  @Test func `onsets do not depend on cycle length or frame rate`() throws {
    var music = Music.floor(96_000, 1e-4)
    for n in 0..<10 { Music.put(Music.snare(0.3, seed: n), at: 0.1 + 0.17 * Double(n), in: &music) }
    let runs = try [("60", 64), ("60", 4096), ("25", 1000), ("30000/1001", 127)].map { fps, cycle in
      try Signal.measured("type: onset", [music], fps: fps, cycle: cycle).frames.flatMap(\.events).map(
        \.sample)
    }
    #expect(runs[0].count >= 10)
    // The last frame of the other runs may end later.
    for run in runs.dropFirst() { #expect(Array(run.prefix(10)) == Array(runs[0].prefix(10))) }
  }
}
