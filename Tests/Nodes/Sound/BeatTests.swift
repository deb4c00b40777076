import Engine
import Glibc
import TestSounds
import Testing

@testable import Nodes

/// Tempo and beats of patterns for which both are known.
@Suite struct BeatTests {
  /// A pattern at a tempo: the times of its beats, and its sound.
  private func pattern(
    _ name: String, _ tempo: Double, seconds: Double = 30, silent: ClosedRange<Double>? = nil
  ) -> (
    beats: [Double], music: [Float]
  ) {
    var music = Music.floor(Int(seconds * 48_000), 3e-4)
    var beats: [Double] = []
    let beat = 60 / tempo
    let (kick, snare, hat, ride) = (
      Music.kick(0.7), Music.snare(0.5), Music.hat(0.35), Music.hat(0.5, seed: 5)
    )
    var n = 0
    while 0.3 + Double(n) * beat < seconds - 0.2 {
      let time = 0.3 + Double(n) * beat
      beats.append(time)
      if let silent, silent.contains(time) {
        n += 1
        continue
      }
      switch name {
      case "four":
        Music.put(kick, at: time, in: &music)
        Music.put(hat, at: time + beat / 2, in: &music)
      case "back": Music.put(n % 2 == 0 ? kick : snare, at: time, in: &music)
      case "hats":
        Music.put(n % 2 == 0 ? kick : snare, at: time, in: &music)
        Music.put(hat, at: time, in: &music)
        Music.put(hat, at: time + beat / 2, in: &music)
      default:
        Music.put(ride, at: time, in: &music)
        if n % 2 == 1 {
          Music.put(hat, at: time + beat * 2 / 3, in: &music)
          Music.put(Music.snare(0.3), at: time, in: &music)
        }
        if n % 4 == 0 { Music.put(kick, at: time, in: &music) }
      }
      n += 1
    }
    return (beats, music)
  }

  private func beats(_ rig: GraphRig) -> [Double] {
    rig.frames.flatMap(\.events).filter { $0.name == "beat" }.map { Double($0.sample) / 48_000 }
  }

  @Test func `tempo and beats of patterns from 60 to 180 are right`() throws {
    var scores: [Double] = []
    var right = 0
    for name in ["four", "back", "hats", "swing"] {
      for tempo in [60.0, 75, 90, 105, 120, 135, 150, 180] {
        let (expected, music) = pattern(name, tempo)
        let rig = try Signal.measured("type: beat, range: [50, 200]", [music])
        let found = Double(try #require(try rig.levels("m.tempo/1").last))
        if abs(found / tempo - 1) < 0.04 { right += 1 }
        let beats = beats(rig)
        #expect(try #require(beats.first) <= 4.5)
        // Trimmed and matched as mir_eval does.
        scores.append(Music.score(beats.filter { $0 >= 5 }, expected.filter { $0 >= 5 }, within: 0.07))
        try checkPhase(rig)
      }
    }
    // Hats as loud as the drums between slow beats count as beats: one of 32 patterns has twice its tempo.
    #expect(right >= 31)
    #expect(scores.reduce(0, +) / Double(scores.count) >= 0.97, "\(scores)")
  }

  /// The phase rises, and a beat was reported where it restarts.
  private func checkPhase(_ rig: GraphRig) throws {
    let (phases, locked) = (try rig.levels("m/1"), try rig.levels("m.locked/1"))
    for frame in 1..<phases.count where locked[frame] == 1 && locked[frame - 1] == 1 {
      let isReported = rig.frames[frame].events.contains { $0.name == "beat" }
      #expect((phases[frame] < phases[frame - 1]) == isReported, "frame \(frame)")
    }
  }

  @Test func `taps give tempo and beat, also in silence, until the timeout after the last tap`() throws {
    let rig = try GraphRig(
      """
      nodes:
        in: { type: jack-input }
        click: { type: jack-input }
        meter: { type: meter, release: 0 }
        hit: { type: trigger, above: -20, gap: 0 }
        m: { type: beat, patience: 2 s }
      wires: [in -> m, click -> meter, meter.peak -> hit, hit.events -> m.tap]
      """)
    var clicks = [Float](repeating: 0, count: 48_000 * 8)
    for tap in 0..<5 { clicks[48_000 + tap * 28_800] = 1 }
    _ = try rig.play(clicks.count, outputs: [], inputs: ["click_1": clicks])
    let (tempo, locked) = (try rig.levels("m.tempo/1"), try rig.levels("m.locked/1"))
    let taps = rig.frames.flatMap(\.events).filter { $0.name == "trigger" }.map(\.sample)
    #expect(taps.count == 5 && taps[1] - taps[0] == 28_800)
    // From the second tap on, until two seconds after the last.
    let first = try #require(locked.firstIndex(of: 1))
    #expect(rig.frames[first].header.endSample == taps[1])
    let last = try #require(locked.lastIndex(of: 1))
    #expect(tempo[first...last].allSatisfy { isNear($0, 100, 0.001) } && tempo[locked.count - 1] == 0)
    let beats = rig.frames.flatMap(\.events).filter { $0.name == "beat" }.map(\.sample)
    #expect(beats.count >= 6)
    for beat in beats {
      let place = Double(beat - taps[1]) / 28_800
      #expect(abs(place - place.rounded()) < 0.001, "a beat at \(beat)")
    }
    try checkPhase(rig)
  }

  @Test func `messages tap as well, and taps at another tempo are followed without a step back`() throws {
    let rig = try GraphRig("nodes: { in: { type: jack-input }, m: { type: beat } }\nwires: [in -> m]")
    for (samples, tempo) in [(24_000, 120.0), (14_400, 200)] {
      for _ in 0..<6 {
        _ = try rig.play(samples, outputs: [])
        rig.plan.beats[0].beat.tap()
      }
      _ = try rig.play(4800, outputs: [])
      #expect(isNear(try #require(try rig.levels("m.tempo/1").last), tempo, 0.001))
    }
    try checkPhase(rig)
  }

  @Test func `there is no beat in silence, in noise and in a steady tone`() throws {
    let tone = [Float](count: 960_000) { Float(0.3 * sin(2 * .pi * 440 * Double($0) / 48_000)) }
    for samples in [Array(repeating: 0, count: 960_000), Music.floor(960_000, 0.3), tone] {
      let rig = try Signal.measured("type: beat, range: [50, 200]", [samples])
      #expect(beats(rig).isEmpty)
      #expect(try rig.levels("m.locked/1").allSatisfy { $0 == 0 })
      #expect(try rig.levels("m/1").allSatisfy { $0 == 0 })
    }
  }

  @Test(arguments: [(100.0, 130.0, 3.0), (130, 100, 3), (150, 110, 3), (90, 120, 3)])
  func `a step of tempo is followed within the seconds that the help states`(
    _ before: Double, _ after: Double, _ most: Double
  ) throws {
    var music = [Float](repeating: 0, count: 44 * 48_000)
    let (long, short) = (60 / before, 60 / after)
    var times = stride(from: 0, to: 29.99, by: long).map { $0 }
    times += stride(from: 30, to: 43, by: short)
    for time in times { Music.put(Music.kick(0.7), at: time, in: &music) }
    let tempi = try Signal.measured("type: beat", [music]).levels("m.tempo/1")
    let last = try #require(tempi.lastIndex { abs(Double($0) - after) > 1 })
    #expect(Double(last + 1) / 60 - 30 <= most, "\(Double(last + 1) / 60 - 30) s")
  }

  /// Kicks and snares in turn, at the times of beats given by a function.
  private func turns(_ seconds: Double, at time: (Double) -> Double) -> (beats: [Double], music: [Float]) {
    var (music, beats) = ([Float](repeating: 0, count: Int(seconds) * 48_000), [Double]())
    while time(Double(beats.count)) < seconds - 0.5 {
      let at = time(Double(beats.count))
      Music.put(beats.count % 2 == 0 ? Music.kick(0.7) : Music.snare(0.5), at: at, in: &music)
      beats.append(at)
    }
    return (beats, music)
  }

  @Test func `a tempo that rises, falls or varies is followed to the beat`() throws {
    // Beats since the start are 5/3 t + t²/240: from 100 to 130 beats a minute within a minute.
    let rising = turns(60) { 200 * ((1 + $0 * 0.006).squareRoot() - 1) }
    // 13/6 t - t²/240: from 130 to 100 beats a minute.
    let falling = turns(60) { 260 * (1 - max(0, 1 - $0 * 240 / 67_600).squareRoot()) }
    // 120 beats a minute, 2 % more and less, with a period of about 16 s.
    let swaying = turns(60) { $0 / 2 + 0.05 * sin($0 / 5) }
    for (name, piece) in [("rising", rising), ("falling", falling), ("swaying", swaying)] {
      let rig = try Signal.measured("type: beat", [piece.music])
      let found = beats(rig).filter { $0 >= 5 }
      #expect(Music.score(found, piece.beats.filter { $0 >= 5 }, within: 0.07) >= 0.99, "\(name)")
      try checkPhase(rig)
    }
  }

  @Test func `a nudge moves beats earlier or later by its amount, and phases never step back`() throws {
    let (_, music) = pattern("four", 120, seconds: 20)
    let plain = beats(try Signal.measured("type: beat", [music])).filter { $0 >= 6 }
    for nudge in [60.0, -45] {
      let rig = try Signal.measured("type: beat, nudge: \(nudge) ms", [music])
      let nudged = beats(rig)
      for beat in plain {
        let nearest = try #require(nudged.min { abs($0 - beat) < abs($1 - beat) })
        #expect(abs(beat - nearest - nudge / 1000) < 0.003, "\(nudge) ms: \(beat), \(nearest)")
      }
      try checkPhase(rig)
    }
    // From 150 to 110 beats a minute: half a second ahead the grid was too fast.
    let slowing = turns(30) { $0 < 38 ? $0 * 0.4 : 15.2 + ($0 - 38) * 60 / 110 }
    try checkPhase(try Signal.measured("type: beat, nudge: 500 ms", [slowing.music]))
  }

  @Test(arguments: [0, -20, -40])
  func `there is no beat in speech and in swelling pads`(_ level: Int) throws {
    let amplitude = 0.5 * pow(10, Double(level) / 20)
    for seed in [2, 5] {
      for sound in [
        Music.speech(amplitude, seconds: 40, seed: seed), Music.pad(amplitude, seconds: 40, seed: seed),
      ] {
        #expect(beats(try Signal.measured("type: beat", [sound])).isEmpty, "\(level) dB, \(seed)")
      }
    }
  }

  @Test(arguments: [41, 55, 82])
  func `there is no beat in a held bass, whose partials beat in one band`(_ frequency: Int) throws {
    for level in [0, -30] {
      let factor = Float(pow(10, Double(level) / 20))
      let sound = Music.held(frequency, 0.2, seconds: 30).map { $0 * factor }
      #expect(beats(try Signal.measured("type: beat", [sound])).isEmpty, "\(level) dB")
    }
  }

  @Test func `a break of four seconds does not stop the grid, a long one does`() throws {
    let (expected, music) = pattern("four", 128, seconds: 40, silent: 14...18)
    let rig = try Signal.measured("type: beat", [music])
    let beats = beats(rig)
    #expect(Music.score(beats.filter { $0 >= 6 }, expected.filter { $0 >= 6 }, within: 0.07) >= 0.97)
    let longer = try Signal.measured(
      "type: beat, patience: 3 s", [pattern("four", 128, seconds: 30, silent: 10...30).music])
    let last = try #require(self.beats(longer).last)
    #expect(last > 12 && last < 14.5)
  }

  @Test func `a steady tone after music ends the grid, too`() throws {
    var music = pattern("four", 128, seconds: 30, silent: 10...30).music
    for place in 480_000..<music.count {
      music[place] = Float(0.3 * sin(2 * .pi * 440 * Double(place) / 48_000))
    }
    let rig = try Signal.measured("type: beat, patience: 3 s", [music])
    let last = try #require(beats(rig).last)
    #expect(last > 9 && last < 23)
    #expect(try rig.levels("m.locked/1").last == 0)
  }

  @Test func `bars are counted, and the tempo is doubled or halved by hand at a beat`() throws {
    let (_, music) = pattern("back", 100, seconds: 24)
    let rig = try GraphRig(
      """
      nodes:
        in: { type: jack-input, channels: 1 }
        hand: { type: jack-input, channels: 2 }
        meter: { type: meter, release: 0 s }
        touch: { type: trigger }
        m: { type: beat, bar: 3, range: [70, 140] }
      wires:
        - in -> m
        - hand -> meter -> touch
        - touch.events[1] -> m.double
        - touch.events[2] -> m.halve
      """)
    var hands = [[Float]](repeating: Array(repeating: 0, count: music.count), count: 2)
    for i in 0..<2000 { (hands[0][12 * 48_000 + i], hands[1][18 * 48_000 + i]) = (1, 1) }
    _ = try rig.play(
      music.count, outputs: [], inputs: ["in_1": music, "hand_1": hands[0], "hand_2": hands[1]])
    let tempo = try rig.levels("m.tempo/1")
    #expect(
      isNear(tempo[11 * 60], 100, 2) && isNear(tempo[14 * 60], 200, 4) && isNear(tempo[20 * 60], 100, 2))
    let events = rig.frames.flatMap(\.events).filter { $0.name == "beat" || $0.name == "bar" }
    let early = events.filter { $0.sample < 12 * 48_000 }
    let (bars, all) = (early.filter { $0.name == "bar" }.count, early.filter { $0.name == "beat" }.count)
    #expect(abs(3 * bars - all) <= 3)
    let phases = try rig.levels("m/1")
    for frame in 1..<phases.count where phases[frame] < phases[frame - 1] {
      #expect(rig.frames[frame].events.contains { $0.name == "beat" } || phases[frame - 1] == 0)
    }
  }
}
