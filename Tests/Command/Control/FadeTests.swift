import Glibc
import OSC
import TestSupport
import Testing

/// Numbers that take their time.
@Suite(.serialized, .waiting) struct FadeTests {
  @Test(.blocking) func `liblo's oscsend fades the master in the lights`() throws {
    let stage = try ControlStage()
    func send(_ types: String, _ arguments: String...) throws {
      let sent = try Child(
        ["oscsend", "osc.udp://127.0.0.1:\(stage.port)", "/visgraph/master", types] + arguments)
      #expect(sent.exitCode() == 0, "\(sent.notes)")
    }
    let base = try #require(stage.ear.floats("/visgraph/rig/1").last)
    try send("ff", "0", "0.3")
    #expect(poll(within: 20) { stage.ear.floats("/visgraph/rig/1").last == 0 })
    try send("ffs", "1", "0.2", "linear")
    #expect(poll(within: 20) { stage.isNear(1, base) })
    #expect(stage.end() == 0, "\(stage.child.notes)")
  }

  @Test func `a gain fades to its value and stays there, also across a reload`() throws {
    let stage = try SteppedStage()
    try stage.run.send("/visgraph/node/gain/gain", .float(-24), .float(1.5))
    let begin = try stage.run.levels("meter.peak/1", frames: 30)
    #expect(stage.run.status("fade")?.prefix(2) == [.string("gain.gain"), .string("-24")])
    try stage.run.send("/visgraph/graph/reload")
    #expect(stage.run.says("reloaded"))
    // 90 frames, from the next one on: less in each, and in no step.
    let way = try begin + stage.run.levels("meter.peak/1", frames: 90)
    #expect(zip(way[..<90], way[1...90]).allSatisfy { $0 > $1 && $0 - $1 < 2 }, "\(way)")
    #expect(way[0] < -20 && way[88] > -44 && way[92...].allSatisfy { abs($0 + 44) < 0.01 }, "\(way)")
    #expect(stage.run.status("fade") == nil && stage.run.refusals == [])
    #expect(stage.run.end() == 0, "\(stage.run.notes)")
  }

  @Test func `the master fades in the lights, frame by frame`() throws {
    let stage = try SteppedStage()
    let base = stage.last(1)
    try stage.run.send("/visgraph/master", .float(0), .float(1))
    let first = stage.run.frame + 1
    try stage.run.frames(62)
    let way = stage.run.floats(SteppedStage.light(1), from: first)
    // A 60th of the way in each frame.
    #expect(way.count >= 60 && way.last == 0, "\(way)")
    #expect(zip(way, way.dropFirst()).allSatisfy { $1 < $0 && $0 - $1 < base / 55 }, "\(way)")
    try stage.run.send("/visgraph/master", .float(1), .float(0.2), .string("linear"))
    try stage.run.frames(6)
    #expect(abs(stage.last(1) - base / 2) < 0.1 * base, "\(stage.last(1))")
    try stage.run.frames(8)
    #expect(abs(stage.last(1) - base) < 1e-3)
    #expect(stage.run.end() == 0, "\(stage.run.notes)")
  }
}

/// Many settings at once, some of them wrong.
@Suite(.serialized, .waiting) struct BurstTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func graph(fps: Int) throws -> String {
    try folder.write(
      """
      visgraph: 1
      fps: \(fps)
      nodes: { tone: { type: tone-source, channels: 200 }, gain: { type: gain }, meter: { type: meter, release: 0 } }
      wires: [tone -> gain -> meter]

      """, to: "graph.yaml")
  }

  /// 200 settings, of which one is wrong.
  private static let burst = (1...200).map {
    Message("/visgraph/node/gain/\($0)/gain", .int($0 == 9 ? 1000 : -6))
  }

  @Test func `settings that come together with a wrong one are one change of the graph, and not one each`()
    throws
  {
    let run = try SteppedRun(graph(fps: 10))
    try run.frames(3)
    try run.send(Self.burst)
    try run.frames(3)
    // All are 6 dB lower, but for the one that was refused.
    let levels = (1...200).map { run.level("meter.peak/\($0)") }
    for (channel, level) in levels.enumerated() {
      #expect(abs(level - (channel == 8 ? -20 : -26)) < 0.01, "\(channel + 1): \(level)")
    }
    #expect(run.refusals.count == 1)
    #expect(run.end() == 0, "\(run.notes)")
  }

  @Test(.blocking, arguments: [1, 5])
  func `a quit in a burst with a wrong value does not wait for frames`(fps: Int) throws {
    let levels = folder.file("levels.csv")
    let child = try Visgraph.start(
      "run", graph(fps: fps), "--host", "clock", "--for", "300", "--levels", levels)
    let peer = try ControlPeer(try child.controlPort())
    #expect(poll(within: 20) { LevelRows(levels).count > 0 }, "\(child.notes)")
    for message in Self.burst { try peer.send(message.address, arguments: message.arguments) }
    #expect(poll(within: 60) { peer.refusals.count == 1 })
    let start = now()
    #expect(child.endsWell(), "\(child.notes)")
    // One by one they would take more than a minute, on any machine.
    #expect(now() - start < 30)
  }
}
