import Glibc
import TestSounds
import Testing

@testable import Nodes

/// Ballistics by standards: bursts and returns of IEC 60268-10, steps of IEC 60268-17 and of the K-System.
@Suite struct ProgramMeterTests {
  /// A burst of a 5 kHz sine at -10 dBFS, with silence around it.
  private func burst(_ milliseconds: Double, rate: Int, degrees: Double) -> [Float] {
    let amplitude = pow(10, -0.5)
    let length = Int((milliseconds / 1000 * Double(rate)).rounded())
    return (0..<(rate / 4 + length)).map { i in
      i < rate / 8 || i >= rate / 8 + length
        ? 0
        : Float(
          amplitude * sin(2 * .pi * 5000 * Double(i - rate / 8) / Double(rate) + degrees * .pi / 180))
    }
  }

  private func highest(_ ballistics: String, _ signal: [Float], rate: Int) throws -> Double {
    let rig = try Signal.measured("type: meter, ballistics: \(ballistics)", [signal], rate: rate)
    return Double(try #require(try rig.levels("m/1").max()))
  }

  @Test(arguments: [44_100, 48_000, 96_000, 192_000])
  func `bursts read as much below the steady tone as the tables state`(rate: Int) throws {
    let tables: [(String, [(ms: Double, below: Double, within: Double)])] = [
      ("ppm-i", [(10, 1, 0.5), (5, 2, 1), (3, 4, 1), (0.4, 15, 4)]),
      ("ppm-iia", [(100, 0, 0.5), (10, 2, 0.5), (5, 4, 0.75), (1.5, 9, 1), (0.5, 17, 2)]),
    ]
    for (ballistics, table) in tables {
      let steady = try highest(ballistics, burst(1000, rate: rate, degrees: 0), rate: rate)
      #expect(abs(steady + 10) <= 0.1, "\(ballistics) reads \(steady)")
      for row in table {
        for degrees in [0.0, 45, 90] {
          let level =
            try highest(ballistics, burst(row.ms, rate: rate, degrees: degrees), rate: rate) - steady
          #expect(abs(level + row.below) <= row.within, "\(ballistics) \(row.ms) ms at \(degrees)°: \(level)")
        }
      }
    }
  }

  @Test(arguments: [("ppm-i", 20.0, 1.7), ("ppm-iia", 24.0, 2.8), ("ppm-iib", 24.0, 2.8)])
  func `meters return straight in decibels, in the time of the standard`(
    ballistics: String, fall: Double, time: Double
  )
    throws
  {
    let signal = Signal.tones([(1, [0]), (4, [nil])], channels: 1)
    let rig = try Signal.measured("type: meter, ballistics: \(ballistics)", signal, fps: "100")
    let levels = try rig.levels("m/1").map(Double.init)
    let first = try #require(levels.indices.dropFirst(100).first { levels[$0] <= -1 })
    let last = try #require(levels.indices.dropFirst(100).first { levels[$0] <= -1 - fall })
    #expect(abs(Double(last - first) / 100 - time) <= 0.3)
    let middle = levels[(first + last) / 2]
    #expect(abs(middle - (levels[first] + levels[last]) / 2) < 0.2)
  }

  // Channels are processed in pairs, and the last one of an odd number alone.
  @Test(arguments: ["ppm-iib", "vu"])
  func `each of three channels reads what it would read alone`(ballistics: String) throws {
    var channels = [0.0, 30, 60].map { burst(20, rate: 48_000, degrees: $0) }
    channels[1][7000] = .nan
    channels[2][7001] = -0x1p60
    let node = "type: meter, ballistics: \(ballistics)"
    let together = try Signal.measured(node, channels)
    for (number, channel) in zip(1..., channels) {
      let alone = try Signal.measured(node, [channel])
      for level in ["m", "m.peak"] {
        #expect(try together.levels("\(level)/\(number)") == alone.levels("\(level)/1"), "\(level)/\(number)")
      }
    }
  }

  @Test func `readings are in the units of the meters`() throws {
    let signal = Signal.tones([(3, [-18])], channels: 1)
    let readings: [(String, Double)] = [
      ("ppm-i", 0), ("ppm-iia", 4), ("ppm-iib", 0), ("vu", 0), ("k-12", -6), ("k-14", -4), ("k-20", 2),
    ]
    for (ballistics, expected) in readings {
      let rig = try Signal.measured("type: meter, ballistics: \(ballistics)", signal)
      let reading = try #require(try rig.levels("m.reading/1").last)
      #expect(isNear(reading, expected, 0.05), "\(ballistics) reads \(reading)")
      #expect(isNear(try #require(try rig.levels("m/1").last), -18, 0.2))
      #expect(isNear(try #require(try rig.levels("m.peak/1").last), -18, 0.2))
    }
    let loud = try Signal.measured("type: meter, ballistics: ppm-iia", Signal.tones([(1, [-6])], channels: 1))
    #expect(isNear(try #require(try loud.levels("m.reading/1").last), 7, 0.05))
  }

  @Test(arguments: [44_100, 48_000, 192_000])
  func `a volume indicator reaches a step after 0.3 s, and overshoots a little`(rate: Int) throws {
    let tone = Signal.tones([(2, [0])], channels: 1, rate: rate)
    let rig = try Signal.measured("type: meter, ballistics: vu", tone, rate: rate, fps: "100")
    let amplitudes = try rig.levels("m/1").map { pow(10, Double($0) / 20) }
    let final = amplitudes[199]
    #expect(abs(final - 1) < 0.01)
    let reached = try #require(amplitudes.firstIndex { $0 >= 0.99 * final })
    #expect((27...33).contains(reached + 1), "\(reached + 1)0 ms")
    let overshoot = amplitudes.max()! / final - 1
    #expect((0.01...0.015).contains(overshoot), "\(overshoot)")
    // Full-wave: an inverted signal reads the same.
    let odd = tone[0].map { $0 > 0 ? $0 : 0.3 * $0 }
    let both = try Signal.measured("type: meter, ballistics: vu", [odd, odd.map { -$0 }], rate: rate)
    #expect(try both.levels("m/1") == both.levels("m/2"))
  }

  @Test func `the K-System reaches 99 % of a step in 0.6 s`() throws {
    let rig = try Signal.measured(
      "type: meter, ballistics: k-20", Signal.tones([(2, [-20])], channels: 1), fps: "100")
    let readings = try rig.levels("m.reading/1")
    #expect(isNear(readings[59], 20 * log10(0.99), 0.02) && isNear(readings[199], 0, 0.01))
  }
}

/// The correlation of two channels.
@Suite struct StereoTests {
  private func sine(_ degrees: Double) -> [Float] {
    [Float](count: 96_000) { Float(0.5 * sin(2 * .pi * 997 * Double($0) / 48_000 + degrees * .pi / 180)) }
  }

  private func last(_ left: [Float], _ right: [Float], _ node: String = "type: stereo") throws -> [Float] {
    let rig = try Signal.measured(node, [left, right])
    return try ["m/1", "m.width/1", "m.balance/1", "m.valid/1"].map { try #require(try rig.levels($0).last) }
  }

  @Test func `equal, inverted, quadrature and silent channels have the correlation of theory`() throws {
    let tone = sine(0)
    let same = try last(tone, tone)
    #expect(isNear(same[0], 1, 0.001) && same[1] == -60 && isNear(same[2], 0, 0.001) && same[3] == 1)
    let opposite = try last(tone, tone.map { -$0 })
    #expect(isNear(opposite[0], -1, 0.001) && opposite[1] == 60 && opposite[3] == 1)
    let quarter = try last(tone, sine(90))
    #expect(isNear(quarter[0], 0, 0.01) && isNear(quarter[1], 0, 0.1))
    let lonely = try last(tone, Array(repeating: 0, count: tone.count))
    #expect(lonely == [0, 0, -60, 0])
    let half = try last(tone, tone.map { $0 / 2 })
    #expect(isNear(half[0], 1, 0.001) && isNear(half[2], -6.02, 0.01))
    #expect(isNear(half[1], 20 * log10(0.5 / 1.5), 0.01))
    let nothing = try last(Array(repeating: 0, count: 48_000), Array(repeating: .nan, count: 48_000))
    #expect(nothing == [0, 0, 0, 0])
  }

  @Test func `independent noises have little correlation`() throws {
    let rig = try GraphRig(
      """
      nodes:
        noise: { type: tone-source, tone: white, channels: 2, seed: 9 }
        m: { type: stereo, window: 2 s }
      wires: [noise -> m]
      """)
    for _ in 0..<1000 { rig.process(480) }
    for value in try rig.levels("m/1").dropFirst(300) { #expect(abs(value) < 0.05) }
  }
}
