import Glibc
import OSC
import TestSupport
import Testing

/// Numbers that take their time, asked for by liblo's oscsend.
@Suite(.serialized, .blocking) struct FadeTests {
  private let folder: TemporaryFolder
  private let stage: ControlStage
  private var ear: OscReceiver { stage.ear }
  private var child: Child { stage.child }
  private var peer: ControlPeer { stage.peer }
  private var levels: String { folder.file("levels.csv") }

  init() throws {
    folder = try TemporaryFolder()
    stage = try ControlStage("--levels", folder.file("levels.csv"))
  }

  private func send(_ address: String, _ types: String, _ arguments: String...) throws {
    let sent = try Child(["oscsend", "osc.udp://127.0.0.1:\(stage.port)", address, types] + arguments)
    #expect(sent.exitCode() == 0, "\(sent.notes)")
  }

  private func end() { #expect(stage.end() == 0, "\(child.notes)") }

  @Test func `a gain fades to its value and stays there, also across a reload`() throws {
    try send("/visgraph/node/gain/gain", "ff", "-24", "1.5")
    #expect(
      try poll(within: 20) {
        try peer.send("/visgraph/status")
        return peer.answers.contains {
          $0.address == "/visgraph/status/fade"
            && $0.arguments.prefix(2) == [.string("gain.gain"), .string("-24")]
        }
      })
    try peer.send("/visgraph/graph/reload")
    #expect(child.says("reloaded"))
    // -20 dB and 24 more, of a sine: its peak is what is measured.
    #expect(poll(within: 30) { LevelRows(levels)["meter.peak/1"].last.map { abs($0 + 44) < 0.01 } ?? false })
    let way = LevelRows(levels)["meter.peak/1"].filter { $0 < -20.02 && $0 > -43.98 }
    #expect(zip(way, way.dropFirst()).allSatisfy { $1 < $0 + 0.01 }, "\(way)")
    #expect(way.count > 3)
    #expect(peer.refusals == [])
    end()
  }

  @Test func `the master fades in the lights, frame by frame`() throws {
    let base = try #require(ear.floats("/visgraph/rig/1").last)
    try send("/visgraph/master", "ff", "0", "1")
    #expect(poll(within: 20) { ear.floats("/visgraph/rig/1").last == 0 })
    let sent = ear.floats("/visgraph/rig/1")
    let start = try #require(sent.lastIndex { $0 > base - 0.002 })
    let way = sent[start...]
    #expect(zip(way, way.dropFirst()).allSatisfy { $1 <= $0 + 0.002 }, "\(way)")
    // A frame is a 60th of the way; two may come as one where the machine is slow, and are computed all the same.
    #expect(way.count > 20)
    try send("/visgraph/master", "ffs", "1", "0.2", "linear")
    #expect(poll(within: 20) { abs((ear.floats("/visgraph/rig/1").last ?? 0) - base) < 0.002 })
    end()
  }
}

/// Many settings at once, some of them wrong.
@Suite(.serialized, .blocking) struct BurstTests {
  @Test func `settings that come together with a wrong one are a few changes of the graph, and not one each`()
    throws
  {
    let folder = try TemporaryFolder()
    let graph = try folder.write(
      """
      visgraph: 1
      fps: 10
      nodes: { tone: { type: tone-source, channels: 200 }, gain: { type: gain }, meter: { type: meter, release: 0 } }
      wires: [tone -> gain -> meter]

      """, to: "graph.yaml")
    let levels = folder.file("levels.csv")
    let child = try Visgraph.start("run", graph, "--host", "clock", "--for", "300", "--levels", levels)
    let peer = try ControlPeer(try child.controlPort())
    #expect(poll(within: 20) { LevelRows(levels).count > 0 }, "\(child.notes)")
    for channel in 1...200 {
      let isWrong = channel == 9
      try peer.send("/visgraph/node/gain/\(channel)/gain", .int(isWrong ? 1000 : -6))
    }
    // The last row: all are 6 dB lower, but for the one that was refused.
    func isDone(_ rows: LevelRows) -> Bool {
      (1...200).allSatisfy { abs((rows["meter.peak/\($0)"].last ?? 0) - ($0 == 9 ? -20 : -26)) < 0.01 }
    }
    #expect(poll(within: 60) { isDone(LevelRows(levels)) }, "\(child.notes)")
    child.signal(SIGTERM)
    #expect(child.exitCode(within: 10) == 0, "\(child.notes)")
    #expect(peer.refusals.count == 1)
    // A change is there from one frame to the next; how many packets had come by then the machine decides.
    let rows = LevelRows(levels)
    let columns = (1...200).map { rows["meter.peak/\($0)"].map { $0 < -23 } }
    let changes = (1..<rows.count).count { row in columns.contains { $0[row] != $0[row - 1] } }
    #expect((1...40).contains(changes), "\(changes)")
  }

  @Test(arguments: [1, 5])
  func `an end that is asked for in a burst with a wrong value does not wait for the frames`(fps: Int) throws
  {
    let folder = try TemporaryFolder()
    let graph = try folder.write(
      """
      visgraph: 1
      fps: \(fps)
      nodes: { tone: { type: tone-source, channels: 200 }, gain: { type: gain }, meter: { type: meter } }
      wires: [tone -> gain -> meter]

      """, to: "graph.yaml")
    let levels = folder.file("levels.csv")
    let child = try Visgraph.start("run", graph, "--host", "clock", "--for", "300", "--levels", levels)
    let peer = try ControlPeer(try child.controlPort())
    #expect(poll(within: 20) { LevelRows(levels).count > 0 }, "\(child.notes)")
    for channel in 1...200 { try peer.send("/visgraph/node/gain/\(channel)/gain", .int(-6)) }
    try peer.send("/visgraph/node/gain/9/gain", .int(1000))
    #expect(poll(within: 60) { peer.refusals.count == 1 })
    let start = now()
    child.signal(SIGTERM)
    #expect(child.exitCode(within: 100) == 0, "\(child.notes)")
    // One by one they would take more than a minute, on any machine.
    #expect(now() - start < 30)
  }
}
