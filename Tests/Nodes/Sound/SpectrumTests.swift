import Engine
import Glibc
import Graphs
import TestSounds
import Testing

@testable import Nodes

/// Spectra as points of a curve.
@Suite struct SpectrumTests {
  private func sine(_ frequency: Double, seconds: Double = 0.2, rate: Int = 48_000) -> [Float] {
    (0..<Int(seconds * Double(rate))).map {
      Float(sin(2 * .pi * frequency * Double($0) / Double(rate)))
    }
  }

  private func points(_ rig: GraphRig, _ count: Int) throws -> [Float] {
    try (1...count).map { try #require(try rig.levels("m/\($0)").last) }
  }

  /// 4096 samples at 48 kHz.
  private static let width = 48_000 / 4096.0

  @Test func `a full-scale sine reads 0 dB at its point, and nothing two points away`() throws {
    let node = "type: spectrum, points: 64, from: 40 Hz, to: 16 kHz, window: 85 ms"
    for bin in [40, 128, 345, 1000] {
      let frequency = Double(bin) * Self.width
      let read = try points(Signal.measured(node, [sine(frequency)]), 64)
      let place = 63 * log(frequency / 40) / log(400)
      for (point, level) in read.enumerated() {
        if abs(Double(point) - place) <= 0.5 {
          #expect(isNear(level, 0, 0.001), "\(frequency) Hz, point \(point)")
        } else if abs(Double(point) - place) >= 1.5 {
          #expect(level < -50, "\(frequency) Hz, point \(point): \(level)")
        }
      }
    }
  }

  @Test func `a tone half-way between two bins reads 1.42 dB less, and points closer than bins interpolate`()
    throws
  {
    let node = "type: spectrum, points: 2, window: 85 ms"
    let between = try Signal.measured("\(node), from: 1500, to: 3000", [sine(128.5 * Self.width)])
    #expect(isNear(try points(between, 2)[0], -1.4236, 0.002))
    // Points closer than bins: half-way between the bins 10 and 11, of which one has a sine of amplitude 1 and its
    // neighbor half of that.
    let (low, high) = (10.5 * Self.width, 10.5 * Self.width * 1.001)
    let rig = try Signal.measured("\(node), from: \(low), to: \(high)", [sine(10 * Self.width)])
    #expect(isNear(try points(rig, 1)[0], 10 * log10((1 + 0.25) / 2), 0.01))
  }

  @Test func `points above half the sample rate read -160 dB, and channels have names`() throws {
    let rig = try GraphRig(
      """
      nodes:
        in: { type: jack-input, names: [Left, Right] }
        m: { type: spectrum, points: 3, from: 100, to: 10 kHz }
      wires: [in -> m]
      """, rate: 16_000)
    let channels = try #require(rig.plan.graph.nodes.last).outputs[0].channels
    #expect(
      channels.map(\.name) == ["Left.100", "Left.1k", "Left.10k", "Right.100", "Right.1k", "Right.10k"])
    let noise = (0..<8000).map { Float(($0 * 7919) % 1000) / 1000 - 0.5 }
    _ = try rig.play(8000, outputs: [], inputs: ["in_1": noise])
    #expect(try rig.levels("m/3").last == -160 && rig.levels("m/4").last == -160)
    #expect(try #require(try rig.levels("m/2").last) > -60)
  }

  @Test func `the points are the same at every cycle length`() throws {
    let noise = (0..<20_000).map { Float(($0 * 7919) % 10_007) / 10_007 - 0.5 }
    let rigs = try [32, 127, 1000, 4096].map {
      try Signal.measured("type: spectrum, points: 40", [noise, noise.reversed()], cycle: $0)
    }
    for rig in rigs.dropFirst() {
      #expect(rig.frames.map(\.levels) == rigs[0].frames.map(\.levels))
    }
  }

  @Test func `nothing is computed while no wire or viewer takes the points`() throws {
    for (wires, isHeard) in [("in -> m", false), ("in -> m -> late", true)] {
      let demand = LevelDemand(isConstant: false)
      let rig = try GraphRig(
        """
        nodes:
          in: { type: jack-input }
          m: { type: spectrum, points: 2, from: 1500, to: 3000 }
          \(isHeard ? "late: { type: smooth }" : "")
        wires: [\(wires)]
        """, demand: demand)
      let tone = sine(128 * Self.width)
      _ = try rig.play(tone.count, outputs: [], inputs: ["in_1": tone])
      #expect(try rig.levels("m/1").allSatisfy { $0 == -160 } != isHeard)
      demand.noteReading(at: 0)
      _ = try rig.play(tone.count, outputs: [], inputs: ["in_1": tone])
      #expect(isNear(try #require(try rig.levels("m/1").last), 0, 0.001))
    }
  }
}
