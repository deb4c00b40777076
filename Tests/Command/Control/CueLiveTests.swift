import Foundation
import OSC
import TestSounds
import TestSupport
import Testing

/// A show that goes through its cues, and does things by the time of day.
@Suite(.serialized, .waiting) struct CueLiveTests {
  private let folder: TemporaryFolder
  private let ear: OscReceiver

  init() throws {
    folder = try TemporaryFolder()
    ear = try OscReceiver()
    try folder.write(Wave.bytes([[Float](repeating: 0.5, count: 4000)]), to: "kick.wav")
  }

  /// A rig that shines by the gain: 0.5 at -12 dB, for one.
  private func graph(_ head: String) throws -> String {
    try folder.write(
      """
      visgraph: 1
      main: low
      scenes:
        low: { level.to: [0, 0.25] }
        high: { level.to: [0, 0.75] }
      \(head)
      nodes:
        tone: { type: tone-source, channels: 1, level: 0 dB }
        pads: { type: sound-bank, channels: 1, sounds: { kick: { path: kick.wav, alert: true } } }
        gain: { type: gain }
        meter: { type: meter, release: 0 s }
        level: { type: range, from: [-160, -150], to: [0, 1] }
        rig: { type: osc-output, to: "127.0.0.1:\(ear.port)", rate: 0, repeat: 0.2 s }
      wires: [tone -> gain -> meter.in, pads -> gain, meter.peak -> level -> rig, pads.alert -> rig.events]

      """, to: "graph.yaml")
  }

  private static let cues = """
    cues:
      1: { label: Doors, scene: high, seconds: 0.2, continue: 0.5 }
      2: { label: Storm, do: [/visgraph/node/pads/play kick, "/visgraph/node/level/to 0 0.5"], follow: 0.25 }
      2.5: { scene: low }
      4: { label: End, do: /visgraph/master 0 0.25 }
    """

  /// Begins a run and lets it run half a second, in which the lights come on.
  private func start(_ graph: String, _ more: String...) throws -> SteppedRun {
    let run = try SteppedRun(command: ["run", graph, "--control", "off"] + more)
    try run.frames(30)
    return run
  }

  private let light = "/visgraph/rig/1"

  /// Where the show stands in its cues, as the status says.
  private func cue(_ run: SteppedRun) -> String {
    run.status().filter { $0.address.hasPrefix("/visgraph/status/cue") }.map { message in
      message.arguments.prefix(2).map { if case .string(let text) = $0 { text } else { "?" } }
        .joined(separator: " ")
    }.joined(separator: " > ")
  }

  @Test func `cues follow by messages and by themselves, and keep their place after a restart`() throws {
    let state = folder.file("show.state")
    let graph = try graph(Self.cues)
    let run = try start(graph, "--state", state)
    #expect(run.last(light) == 0.25 && cue(run) == "  > 1 Doors", "\(run.notes)")
    try run.send("/visgraph/cue/go")
    // 0.2 s to the scene high; 2 comes 0.5 s behind 1, 2.5 a quarter of a second behind 2, and waits.
    let levels = try run.levels("level/1", frames: 60)
    #expect(zip(levels[..<12], levels[1..<13]).allSatisfy { $0 < $1 }, "\(levels)")
    #expect(levels[13..<30].allSatisfy { $0 == 0.75 }, "\(levels)")
    #expect(levels[31..<45].allSatisfy { $0 == 0.5 } && levels[46...].allSatisfy { $0 == 0.25 }, "\(levels)")
    #expect(cue(run) == "2.5  > 4 End")
    // The sound of cue 2 is an alert, in the frame of its cue.
    #expect((61...62).contains(run.sent(to: "/visgraph/rig/pads/kick/1").first?.frame ?? 0))
    #expect(run.says("cue 1 Doors") && run.says("cue 2 Storm") && run.says("cue 2.5"))
    try run.send("/visgraph/cue/goto", .string("3"))
    #expect(run.refusals.last?.hasPrefix("there is no cue 3; the graph has: 1, 2, 2.5, 4") == true)
    try run.send("/visgraph/cue/go")
    try run.frames(16)
    #expect(run.last(light) == 0)
    try run.send("/visgraph/cue/go")
    #expect(run.refusals.last?.hasPrefix("this is the last cue") == true, "\(run.refusals)")
    try run.send("/visgraph/cue/back")
    #expect(cue(run) == "2.5  > 4 End")
    #expect(run.end() == 0, "\(run.notes)")
    // The end does not wait for a disk that takes long.
    if run.says("is not kept") { return noteTooBusy("the state was not kept in time") }

    let second = try SteppedRun(graph, "--state", state)
    #expect(cue(second) == "2.5  > 4 End", "\(second.notes)")
    try second.send("/visgraph/graph/reload")
    #expect(second.says("reloaded") && cue(second) == "2.5  > 4 End")
    #expect(second.end() == 0)
  }

  @Test
  func `a subscriber gets the seconds until a follow-on, and that it waits after stop and back`()
    throws
  {
    let run = try start(
      try graph("cues: { 1: { label: A, continue: 600 }, 2: { label: B }, 3: { label: C, continue: 600 } }"))
    try run.send("/visgraph/subscribe", .string("/visgraph/cue"), .int(30), .int(600))
    func left(after frames: Int) throws -> [Argument]? {
      try run.frames(frames)
      return run.fed("/visgraph/cue/left")
    }
    try run.send("/visgraph/cue/go")
    // In tenths.
    #expect(try left(after: 31) == [.float(599.5)])
    try run.send("/visgraph/cue/stop")
    #expect(try left(after: 3) == [])
    try run.send("/visgraph/cue/goto", .int(1))
    #expect(try left(after: 31) == [.float(599.5)])
    try run.send("/visgraph/cue/go")
    try run.send("/visgraph/cue/back")
    #expect(try left(after: 3) == [] && cue(run) == "1 A > 2 B")
    #expect(try left(after: 60) == [])
    #expect(run.end() == 0)
  }

  @Test func `an alarm acts at its time`() throws {
    let graph = try graph(
      Self.cues + "\nclock: [{ at: \"20:15:05\", scene: high, do: [/visgraph/cue/goto 2] }]")
    // 4.5 s before it.
    let begin = 11_000 * 86_400 + 20 * 3600 + 15 * 60
    let run = try SteppedRun(graph, second: begin - 7200, offset: 7200)
    try run.frames(299)
    #expect(!run.says("alarm "), "\(run.notes)")
    try run.frames(3)
    #expect(run.count(of: "alarm 20:15:05") == 1, "\(run.notes)")
    try run.frames(30)
    #expect(cue(run) == "2.5  > 4 End", "\(run.notes)")
    #expect(run.end() == 0)
  }

  @Test func `a constant is set live by messages and by its fader`() throws {
    let path = try folder.write(
      """
      visgraph: 1
      nodes:
        house: { type: constant, channels: 2 }
        rig: { type: osc-output, to: "127.0.0.1:9", rate: 0, repeat: 0.2 s }
      wires: [house -> rig]

      """, to: "house.yaml")
    let run = try SteppedRun(path)
    func shines() throws -> [Float?] {
      try run.frames(2)
      return [run.last("/visgraph/rig/1"), run.last("/visgraph/rig/2")]
    }
    #expect(try shines() == [1, 1])
    try run.send("/visgraph/node/house/value", .float(0.25))
    #expect(try shines() == [0.25, 0.25])
    try run.send("/visgraph/fader/house/value", .float(0.5))
    #expect(try shines() == [0.5, 0.5])
    try run.send("/visgraph/node/house/2/value", .float(0.75))
    #expect(try shines() == [0.5, 0.75])
    #expect(run.end() == 0)
  }

  @Test func `clocks set forward and back during a show make each alarm act once, and delay nothing`()
    throws
  {
    let graph = try graph(
      "clock: [{ at: \"12:30\", scene: high }, { at: \"13:30\", do: /visgraph/master 0.5 }]")
    let run = try SteppedRun(graph, second: 11_000 * 86_400 + 12 * 3600)
    try run.frames(120)
    #expect(run.last(light) == 0.25)
    run.setOffset(3600)
    try run.frames(120)
    #expect(run.says("alarm 12:30") && run.last(light) == 0.75, "\(run.notes)")
    run.setOffset(0)
    try run.send("/visgraph/scene", .string("low"), .float(0))
    try run.frames(120)
    #expect(run.last(light) == 0.25)
    run.setOffset(7200)
    // Past both, of which one has been.
    try run.frames(120)
    #expect(run.says("alarm 13:30") && run.last(light) == 0.125, "\(run.notes)")
    #expect(run.count(of: "alarm ") == 2, "\(run.notes)")
    #expect(run.end() == 0)
  }

  private func shines(_ value: Float) -> Bool {
    poll(within: 60) { abs((ear.floats("/visgraph/rig/1").last ?? -1) - value) < 0.002 }
  }

  @Test(.blocking)
  func `a cue sends to another program, and a missing receiver is a fault`()
    throws
  {
    let gone = try OscReceiver.closedPort()
    let graph = try graph(
      """
      cues:
        1: { do: ["127.0.0.1:\(ear.port)/lift 1 \\"so high\\"", /visgraph/scene high 0] }
        2: { do: "127.0.0.1:\(gone)/lift 0" }
      """)
    let child = try Child([Visgraph.path, "run", graph, "--host", "clock", "--for", "600"])
    let peer = try ControlPeer(try child.controlPort())
    #expect(shines(0.25), "\(child.notes)")
    try peer.send("/visgraph/cue/go")
    #expect(shines(0.75), "\(child.notes)")
    #expect(poll { ear.messages.contains { $0.address == "/lift" } }, "\(child.notes)")
    #expect(ear.messages.filter { $0.address == "/lift" }.map(\.values) == [[.int(1), .string("so high")]])
    try peer.send("/visgraph/cue/go")
    #expect(child.says("nobody listens on 127.0.0.1:\(gone)"), "\(child.notes)")
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0)
  }

  @Test func `cues of a score act in their frames offline, with follow-ons`() throws {
    let graph = try graph(Self.cues)
    let path = folder.file("cues.osc")
    let score = try ScoreWriter(path: path, replacing: true)
    try Message("/visgraph/cue/go").packet().withUnsafeBytes { score.write($0, at: 1) }
    try score.finish()
    for cycle in ["32", "1024"] {
      let ending = try Visgraph.run(
        "render", graph, "--control", path, "-o", folder.file("\(cycle).csv"), "--for", "3", "--cycle", cycle)
      #expect(ending.code == 0 && ending.notes == "", "\(ending.notes)")
    }
    #expect(firstDifference(bytes(of: folder.file("32.csv")), bytes(of: folder.file("1024.csv"))) == nil)
    let rows = LevelRows(folder.file("32.csv"))["level/1"]
    try #require(rows.count == 180)
    // 60 frames, then 0.2 s to the scene high; 2 comes 0.5 s behind 1, 2.5 a quarter of a second behind 2.
    #expect(rows[..<60].dropFirst(2).allSatisfy { $0 == 0.25 }, "\(rows[..<60])")
    #expect(zip(rows[60..<72], rows[61..<73]).allSatisfy { $0 < $1 }, "\(rows[58..<74])")
    #expect(rows[72..<90].allSatisfy { $0 == 0.75 }, "\(rows[72..<92])")
    #expect(rows[90..<105].allSatisfy { $0 == 0.5 }, "\(rows[88..<108])")
    #expect(rows[105...].allSatisfy { $0 == 0.25 }, "\(rows[104...])")
  }

  @Test func `a cue file beside the graph counts, and an invalid one is reported`() throws {
    let graph = try graph("cues: show.cues.yaml")
    _ = try folder.write("visgraph-cues: 1\n\(Self.cues)\n", to: "show.cues.yaml")
    let good = try Visgraph.run("check", graph)
    #expect(good.code == 0 && good.notes == "", "\(good.notes)")
    // A gigabyte without a byte in it.
    #expect(truncate(folder.file("show.cues.yaml"), 1 << 30) == 0)
    let began = now()
    let huge = try Visgraph.run("check", graph)
    #expect(huge.code == 2 && huge.notes.contains("[file-too-large]") && now() - began < 30, "\(huge.notes)")
    #expect(
      huge.notes.contains(":6:7: error: cues: the file \"show.cues.yaml\" is larger than 4 MB"),
      "\(huge.notes)")
  }
}
