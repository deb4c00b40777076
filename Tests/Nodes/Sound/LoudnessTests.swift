import CEbur128
import CRealtime
import Glibc
import Metering
import TestSounds
import TestSupport
import Testing

/// EBU Tech 3341 and 3342 by their synthesized cases, the tones of BS.2217, and a comparison with libebur128.
@Suite struct LoudnessTests {
  private func measured(_ channels: [[Float]], fps: String = "60") throws -> GraphRig {
    try Signal.measured("type: loudness", channels, fps: fps)
  }

  private func last(_ rig: GraphRig, _ level: String) throws -> Float {
    try #require(try rig.levels(level).last)
  }

  @Test(arguments: [-23.0, -33])
  func `cases 1 and 2: a steady tone has the same momentary, short-term and integrated loudness`(
    level: Double
  ) throws {
    let rig = try measured(Signal.stereo([(20, level)]))
    for output in ["m/1", "m.shortTerm/1", "m.integrated/1"] {
      #expect(isNear(try last(rig, output), level, 0.1), "\(output)")
    }
    // Before a window is full there is no value: for 24 frames, then 180.
    let (momentary, shortTerm) = (try rig.levels("m/1"), try rig.levels("m.shortTerm/1"))
    #expect(momentary.prefix(23).allSatisfy { $0 == -160 } && momentary[24] > -40)
    #expect(shortTerm.prefix(179).allSatisfy { $0 == -160 } && shortTerm[180] > -40)
  }

  @Test(
    arguments: [
      [(10, -36), (60, -23), (10, -36)], [(10, -72), (10, -36), (60, -23), (10, -36), (10, -72)],
      [(20, -26), (20.1, -20), (20, -26)],
    ] as [[(Double, Double)]])
  func `cases 3 to 5: the gates exclude quiet passages`(pieces: [(Double, Double)]) throws {
    let rig = try measured(Signal.stereo(pieces.map { ($0.0, $0.1) }), fps: "10")
    #expect(isNear(try last(rig, "m.integrated/1"), -23, 0.1))
  }

  @Test func `case 6: surrounds weigh more, and an LFE nothing`() throws {
    let five = try measured(Signal.tones([(20, [-28, -28, -24, -30, -30])], channels: 5), fps: "10")
    let six = try measured(Signal.tones([(20, [-28, -28, -24, -3, -30, -30])], channels: 6), fps: "10")
    for rig in [five, six] { #expect(isNear(try last(rig, "m.integrated/1"), -23, 0.1)) }
    let named = try GraphRig(
      """
      nodes:
        in: { type: jack-input, names: [LFE, Rs, C, L, R, Ls] }
        m: { type: loudness }
      wires: [in -> m]
      """)
    let signal = Signal.tones([(5, [-3, -30, -24, -28, -28, -30])], channels: 6)
    var inputs: [String: [Float]] = [:]
    for (number, samples) in signal.enumerated() { inputs["in_\(number + 1)"] = samples }
    _ = try named.play(signal[0].count, outputs: [], inputs: inputs)
    #expect(isNear(try last(named, "m.integrated/1"), -23, 0.1))
  }

  @Test func `case 9: short-term is steady for a signal with a period of three seconds`() throws {
    let rig = try measured(Signal.stereo((0..<5).flatMap { _ in [(1.34, -20), (1.66, -30)] }))
    for level in try rig.levels("m.shortTerm/1").dropFirst(181) { #expect(isNear(level, -23, 0.1)) }
  }

  @Test func `case 10: the maximum short-term loudness does not depend on where three seconds begin`() throws
  {
    for n in stride(from: 0, to: 20, by: 3) {
      let rig = try measured(Signal.stereo([(0.15 * Double(n), nil), (3, -23), (1, nil)]), fps: "10")
      #expect(isNear(try last(rig, "m.highestShortTerm/1"), -23, 0.1), "\(n)")
    }
  }

  @Test func `case 11: short-term reaches each of twenty levels in order`() throws {
    let levels = (0..<20).map { -38 + Double($0) }
    let rig = try measured(Signal.stereo(levels.flatMap { [(3, $0), (3, nil)] }), fps: "20")
    let read = try rig.levels("m.shortTerm/1")
    for (n, level) in levels.enumerated() {
      #expect(isNear(read[(n * 120)..<(n * 120 + 119)].max()!, level, 0.1), "\(level)")
    }
  }

  @Test func `case 12: momentary is steady for a signal with a period of 400 ms`() throws {
    let rig = try measured(Signal.stereo((0..<25).flatMap { _ in [(0.18, -20), (0.22, -30)] }))
    for level in try rig.levels("m/1").dropFirst(60) { #expect(isNear(level, -23, 0.1)) }
  }

  @Test func `case 13: the maximum momentary loudness does not depend on where 400 ms begin`() throws {
    for n in 0..<20 {
      let rig = try measured(Signal.stereo([(0.02 * Double(n), nil), (0.4, -23), (1, nil)]), fps: "10")
      #expect(isNear(try last(rig, "m.highestMomentary/1"), -23, 0.1), "\(n)")
    }
  }

  @Test func `case 14: momentary reaches each of twenty levels in order`() throws {
    let levels = (0..<20).map { -38 + Double($0) }
    let rig = try measured(Signal.stereo(levels.flatMap { [(0.4, $0), (0.4, nil)] }), fps: "100")
    let read = try rig.levels("m/1")
    for (n, level) in levels.enumerated() {
      #expect(isNear(read[(n * 80)..<(n * 80 + 79)].max()!, level, 0.1), "\(level)")
    }
  }

  @Test(
    arguments: [
      ([(20, -20), (20, -30)], 10), ([(20, -20), (20, -15)], 5), ([(20, -40), (20, -20)], 20),
      ([(20, -50), (20, -35), (20, -20), (20, -35), (20, -50)], 15),
    ] as [([(Double, Double)], Double)])
  func `Tech 3342: the loudness range is that of the cases`(pieces: [(Double, Double)], range: Double) throws
  {
    let rig = try measured(Signal.stereo(pieces.map { ($0.0, $0.1) }), fps: "10")
    #expect(isNear(try last(rig, "m.range/1"), range, 1))
  }

  @Test(arguments: [25.0, 100, 500, 1000, 2000, 10_000], [-23.0, -24])
  func `BS.2217: tones of any frequency read the gain of the weighting`(
    frequency: Double, loudness: Double
  ) throws {
    // The gain by the coefficients of BS.1770's tables for 48 kHz.
    func gain(_ b: [Double], _ a: [Double]) -> Double {
      let angle = 2 * Double.pi * frequency / 48_000
      func size(_ c: [Double]) -> Double {
        let (re, im) = c.enumerated().reduce((0.0, 0.0)) { sum, c in
          (
            sum.0 + c.element * cos(angle * Double(c.offset)),
            sum.1 - c.element * sin(angle * Double(c.offset))
          )
        }
        return (re * re + im * im).squareRoot()
      }
      return size(b) / size(a)
    }
    let weight =
      gain(
        [1.53512485958697, -2.69169621940638, 1.19839281085285], [1, -1.69065929318241, 0.73248077421585])
      * gain([1, -2, 1], [1, -1.99004745483398, 0.99007225036621])
    // Both channels together: the mean square of each is half the square of its peak.
    let level = loudness + 0.691 - 20 * log10(weight)
    let rig = try measured(Signal.tones([(10, [level])], channels: 2, frequency: frequency), fps: "10")
    #expect(isNear(try last(rig, "m.integrated/1"), loudness, 0.1))
  }

  @Test func `an event starts a new program`() throws {
    let rig = try GraphRig(
      """
      nodes:
        in: { type: jack-input, channels: 1 }
        mark: { type: jack-input, channels: 1 }
        meter: { type: meter }
        hit: { type: trigger }
        m: { type: loudness }
      wires: [in -> m, mark -> meter -> hit, hit.events -> m.reset]
      """)
    let signal = Signal.tones([(2, [-10]), (2, [-30])], channels: 1)[0]
    var mark = [Float](repeating: 0, count: signal.count)
    for i in 100_000..<101_000 { mark[i] = 1 }
    _ = try rig.play(signal.count, outputs: [], inputs: ["in_1": signal, "mark_1": mark])
    let integrated = try rig.levels("m.integrated/1")
    #expect(isNear(integrated[110], -13, 0.1) && integrated[127] == -160)
    #expect(isNear(try last(rig, "m.integrated/1"), -33, 0.1))
    #expect(isNear(try last(rig, "m.highestMomentary/1"), -33, 0.1))
    #expect(isNear(try last(rig, "m.highestTruePeak/1"), -30, 0.1))
  }

  /// Pink noise that rises and falls, and chords with clicks: 60 s in two channels.
  private func program() -> [[Float]] {
    let count = 60 * 48_000
    return (0..<2).map { channel in
      var samples = [Float](repeating: 0, count: count)
      vg_pink(&samples, 0, UInt64(channel + 1), 0.5, count)
      var phase = 0.0
      for i in 0..<count {
        let t = Double(i) / 48_000
        let swell = Float(0.05 + 0.95 * (0.5 + 0.5 * sin(t / 7)) * (t > 40 && t < 44 ? 0.001 : 1))
        phase += 2 * Double.pi * (110 + 30 * Double(Int(t) % 7)) / 48_000
        samples[i] = samples[i] * swell + Float(0.3 * sin(phase)) * (i % 24_000 < 9000 ? 1 : 0)
      }
      return samples
    }
  }

  @Test func `libebur128 measures the same within a hundredth`() throws {
    let signal = program()
    let rig = try measured(signal, fps: "10")
    let mode = EBUR128_MODE_I.rawValue | EBUR128_MODE_LRA.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue
    var state: UnsafeMutablePointer<ebur128_state>? = ebur128_init(2, 48_000, Int32(bitPattern: mode))
    defer { ebur128_destroy(&state) }
    let (momentary, shortTerm) = (try rig.levels("m/1"), try rig.levels("m.shortTerm/1"))
    var value = 0.0
    var farthest = 0.0
    for frame in 0..<600 {
      let piece = [Float](count: 9600) { signal[$0 % 2][frame * 4800 + $0 / 2] }
      ebur128_add_frames_float(state, piece, 4800)
      ebur128_loudness_momentary(state, &value)
      if frame >= 4 { farthest = max(farthest, abs(value - Double(momentary[frame]))) }
      ebur128_loudness_shortterm(state, &value)
      if frame >= 30 { farthest = max(farthest, abs(value - Double(shortTerm[frame]))) }
    }
    #expect(farthest <= 0.01, "windows differ by \(farthest) LU")
    ebur128_loudness_global(state, &value)
    #expect(isNear(try last(rig, "m.integrated/1"), value, 0.01))
    ebur128_loudness_range(state, &value)
    #expect(isNear(try last(rig, "m.range/1"), value, 0.05))
    for channel in 0..<2 {
      ebur128_true_peak(state, UInt32(channel), &value)
      #expect(isNear(try last(rig, "m.highestTruePeak/\(channel + 1)"), 20 * log10(value), 0.01))
    }
  }
}

/// EBU Tech 3341, cases 15 to 23.
@Suite struct TruePeakTests {
  /// The maximum true peak of a signal at 48 kHz, in dBTP.
  private func peak(_ samples: [Float]) throws -> Double {
    let rig = try Signal.measured("type: loudness", [samples])
    return Double(try #require(try rig.levels("m.highestTruePeak/1").last))
  }

  /// A tone with fades of 10 ms: without them its ends would overshoot.
  private func tone(_ amplitude: Double, part: Double, degrees: Double) -> [Float] {
    [Float](count: 48_000) { place in
      let fade = min(1, Double(min(place, 47_999 - place)) / 480)
      let angle: Double = 2 * .pi * part * Double(place) + degrees * .pi / 180
      return Float(amplitude * fade * sin(angle))
    }
  }

  @Test(
    arguments: [
      (0.5, 1 / 4.0, 0.0, -6.0), (0.5, 1 / 4.0, 45, -6), (0.5, 1 / 6.0, 60, -6), (0.5, 1 / 8.0, 67.5, -6),
      (1.41, 1 / 4.0, 45, 3),
    ] as [(Double, Double, Double, Double)])
  func `cases 15 to 19: tones whose samples miss their peaks`(
    amplitude: Double, part: Double, degrees: Double, expected: Double
  ) throws {
    let level = try peak(tone(amplitude, part: part, degrees: degrees))
    #expect(level <= expected + 0.2 && level >= expected - 0.4, "\(level)")
  }

  @Test func `cases 20 to 23: one loud period between samples, at every offset`() throws {
    // At four times the final rate: amplitude 0.5 at a sixth of the final rate, with one period at a quarter of it and
    // full scale.
    let length = 4 * 4800
    var phase = 0.0
    var high = [Double](repeating: 0, count: length)
    for i in 0..<length {
      let isLoud = i >= length / 2 && i < length / 2 + 16
      let fade = min(1, Double(min(i, length - 1 - i)) / 1920)
      high[i] = (isLoud ? 1 : 0.5) * fade * sin(phase)
      phase += 2 * .pi * (isLoud ? 1 / 16.0 : 1 / 24.0)
    }
    // A low-pass filter at half the final rate.
    let half = 1000
    let taps = (-half...half).map { n -> Double in
      let x = Double(n) / 4
      let sinc = n == 0 ? 1 : sin(.pi * x) / (.pi * x)
      return sinc / 4 * (0.5 + 0.5 * cos(.pi * Double(n) / Double(half + 1)))
    }
    for offset in 0..<4 {
      let samples = (0..<4800).map { i -> Float in
        let center = 4 * i + offset
        var sum = 0.0
        for n in max(-half, center - length + 1)...min(half, center) {
          sum += taps[n + half] * high[center - n]
        }
        return Float(sum)
      }
      let level = try peak(samples)
      #expect(level <= 0.2 && level >= -0.4, "offset \(offset): \(level)")
    }
  }
}
