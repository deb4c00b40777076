import Engine
import TestSounds
import Testing

@testable import Nodes

/// Waveforms as points of a triggered curve.
@Suite struct ScopeTests {
  /// A wave that rises through 0 at 350, 1050, 1750 … and falls through it at 700, 1400 ….
  private static let saw = (0..<9600).map { Float($0 % 700 - 350) / 350 }

  /// The points of the last frame.
  private func points(_ rig: GraphRig, _ channels: ClosedRange<Int>) throws -> [Float] {
    try channels.map { try #require(try rig.levels("m/\($0)").last) }
  }

  @Test(arguments: [
    // The frame ends at 9600, and a piece has 480 samples: the trigger is the last crossing with a whole piece after
    // it.
    ("rising", 0.0, 0.0, 8750), ("falling", 0, 0, 9100), ("rising", 0.5, 0, 8925), ("rising", 0, 0.25, 8750),
    ("rising", 0, 1, 9450), ("falling", -0.5, 0.5, 9100), ("free", 0, 0, 9120),
  ])
  func `a piece begins at the sample where the wave crosses the level`(
    trigger: String, level: Double, position: Double, place: Int
  ) throws {
    let rig = try Signal.measured(
      "type: scope, time: 10 ms, points: 480, trigger: \(trigger), level: \(level), position: \(position)",
      [Self.saw])
    let before = min(479, Int(position * 480))
    #expect(try points(rig, 1...480) == Array(Self.saw[(place - before)..<(place - before + 480)]))
    #expect(try rig.levels("m.triggered/1").last == (trigger == "free" ? 0 : 1))
  }

  @Test func `a point is the sample of largest magnitude in its stretch, or one of few samples, repeated`()
    throws
  {
    let rig = try Signal.measured("type: scope, time: 10 ms, points: 48", [Self.saw])
    let piece = Array(Self.saw[8750..<9230])
    #expect(
      try points(rig, 1...48)
        == (0..<48).map { stretch in
          piece[(stretch * 10)..<(stretch * 10 + 10)].max { abs($0) < abs($1) } ?? 0
        })
    let few = try Signal.measured("type: scope, time: 1 ms, points: 96", [Self.saw])
    #expect(try points(few, 1...96) == (0..<96).map { Self.saw[9450 + $0 / 2] })
  }

  @Test func `without a trigger the wave is not held, and one channel may trigger all`() throws {
    let steady = [Float](repeating: 0.5, count: 9600)
    let late = Array(Self.saw[100...] + Self.saw[..<100])
    let alone = try Signal.measured("type: scope, time: 10 ms, points: 480", [steady, late])
    #expect(try points(alone, 1...480).allSatisfy { $0 == 0.5 })
    #expect(try points(alone, 481...481) == [0])
    #expect(try rig(alone) == [0, 1])
    let together = try Signal.measured(
      "type: scope, time: 10 ms, points: 480, together: true", [Self.saw, late])
    #expect(try points(together, 481...960) == Array(late[8750..<9230]))
    #expect(try rig(together) == [1, 1])
  }

  private func rig(_ rig: GraphRig) throws -> [Float] {
    try (1...2).map { try #require(try rig.levels("m.triggered/\($0)").last) }
  }

  @Test func `the points are the same at every cycle length`() throws {
    let noise = (0..<20_000).map { Float(($0 * 7919) % 10_007) / 10_007 - 0.5 }
    let rigs = try [32, 127, 1000, 4096].map {
      try Signal.measured("type: scope, points: 40", [noise, noise.reversed()], cycle: $0)
    }
    for rig in rigs.dropFirst() {
      #expect(rig.frames.map(\.levels) == rigs[0].frames.map(\.levels))
    }
  }

  @Test func `nothing is computed while no wire or viewer takes the points`() throws {
    let demand = LevelDemand(isConstant: false)
    let rig = try GraphRig(
      "nodes: { in: { type: jack-input }, m: { type: scope, points: 2 } }\nwires: [in -> m]", demand: demand)
    _ = try rig.play(9600, outputs: [], inputs: ["in_1": Self.saw])
    #expect(
      try rig.levels("m/1").allSatisfy { $0 == 0 } && rig.levels("m.triggered/1").allSatisfy { $0 == 0 })
    demand.noteReading(at: 0)
    _ = try rig.play(9600, outputs: [], inputs: ["in_1": Self.saw])
    #expect(try rig.levels("m.triggered/1").last == 1)
  }
}
