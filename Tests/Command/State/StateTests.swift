import Foundation
import Glibc
import OSC
import TestSounds
import TestSupport
import Testing

@testable import Graphs
@testable import visgraph

/// `--state FILE`: a show comes back as it was.
@Suite(.serialized, .waiting) struct StateTests {
  private let folder: TemporaryFolder
  private let ear: OscReceiver
  private let graph: String
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    ear = try OscReceiver()
    file = folder.file("show.state")
    _ = try folder.write(Wave.bytes(Sounds.lively(seconds: 60)), to: "song.wav")
    graph = try folder.write(
      """
      visgraph: 1
      nodes:
        song: { type: file-source, path: song.wav, start: pause }
        tone: { type: tone-source, level: -20 dB }
        gain: { type: gain, gain: 0 }   # as loud as it comes
        meter: { type: meter, reference: rms, release: 0 s }
        level: { type: range, from: [-60, 0], to: [0, 1] }
        rig: { type: osc-output, to: "127.0.0.1:\(ear.port)", rate: 0 }
        heard: { type: meter }
      wires: [tone -> gain -> meter -> level -> rig, song -> heard]

      """, to: "graph.yaml")
  }

  private func start(_ more: String...) throws -> (child: Child, peer: ControlPeer) {
    let child = try Child(
      [Visgraph.path, "run", graph, "--host", "clock", "--for", "600", "--state", file] + more)
    return (child, try ControlPeer(try child.controlPort()))
  }

  private var kept: ShowState? { try? StateFile(file).read().get() }

  @Test(.blocking) func `settings, master, blackout and players come back after a restart`() throws {
    let (first, peer) = try start()
    try peer.send("/visgraph/node/gain/gain", .float(-6))
    try peer.send("/visgraph/master", .float(0.25))
    try peer.send("/visgraph/blackout", .int(1))
    try peer.send("/visgraph/transport/seek", .float(30))
    try peer.send("/visgraph/transport/play")
    #expect(
      poll { kept?.isBlackout == true && kept?.master == 0.25 && kept?.players.first?.time ?? 0 > 30.2 },
      "\(String(describing: kept)) \(first.notes)")
    #expect(kept?.settings == [ShowState.Setting(path: "gain.gain", value: "-6")])
    #expect(first.endsWell(), "\(first.notes)")
    let time = try #require(kept?.players.first?.time)

    let (second, other) = try start()
    let status = try other.status(with: "/visgraph/status/end")
    #expect(
      status.contains { $0.address == "/visgraph/status/blackout" && $0.arguments.first == .int(1) },
      "\(status)")
    // It goes on from where it was, and the file says so within a second or two.
    #expect(poll { kept.map { $0.players[0].time >= time && $0.players[0].isPlaying } == true })
    #expect(kept?.settings == [ShowState.Setting(path: "gain.gain", value: "-6")] && kept?.master == 0.25)
    try other.send("/visgraph/blackout", .int(0))
    try other.send("/visgraph/master", .float(1))
    // A sine of −20 dB and −6 dB, −29.02 dB in the mean, of −60…0.
    #expect(poll { abs((ear.floats("/visgraph/rig/1").last ?? 0) - 0.5163) < 0.005 }, "\(second.notes)")
    #expect(second.endsWell(), "\(second.notes)")
  }

  private func stepped(_ more: String...) throws -> SteppedRun {
    try SteppedRun(command: ["run", graph, "--control", "off", "--state", file] + more)
  }

  @Test
  func
    `a player's volume, rate, pan and loop come back, and what the file has of them by now counts elsewhere`()
    throws
  {
    let run = try stepped()
    try run.frames(5)
    try run.send([
      Message("/visgraph/transport/volume", .float(0.5)), Message("/visgraph/transport/rate", .float(1.25)),
      Message("/visgraph/transport/pan", .float(-0.5)),
      Message("/visgraph/transport/loop", .string("forever")),
      Message("/visgraph/node/song/gain", .float(-3)),
    ])
    let told = ["loop": "forever", "rate": "1.25", "volume": "0.5", "pan": "-0.5"]
    var settings: [String: String]? {
      kept?.players.first.map { Dictionary(uniqueKeysWithValues: $0.settings.map { ($0.path, $0.value) }) }
    }
    // It is kept at the latest a second later, if the disk has taken what was before, and not by the end alone.
    #expect(
      try poll {
        try run.frames(10)
        return settings == told && kept?.settings.count == 1
      }, "\(String(describing: kept)) \(run.notes)")
    #expect(run.end() == 0)

    // What was not set at the player is as the file says.
    let text = try String(contentsOfFile: graph, encoding: .utf8)
    try Data(text.replacing("start: pause", with: "start: pause, pitch: varispeed, volume: 0.75").utf8)
      .write(to: URL(filePath: graph))
    let second = try stepped()
    try second.frames(5)
    #expect(second.status("node/song/volume") == [.float(0.5)], "\(second.notes)")
    #expect(second.status("node/song/rate") == [.double(1.25)])
    #expect(second.status("node/song/pan") == [.float(-0.5)])
    #expect(settings == told)
    // As the file has it by now is nothing to be kept.
    try second.send("/visgraph/transport/volume", .float(0.75))
    #expect(
      try poll {
        try second.frames(10)
        return settings == told.filter { $0.key != "volume" }
      })
    #expect(second.end() == 0)
  }

  private func with(_ master: Double) -> ShowState {
    var state = ShowState()
    state.master = master
    return state
  }

  @Test func `the state is written at most once a second, and only if it has changed`() throws {
    let state = StateFile(file)
    // Again and again, because the thread that has written may still count as writing.
    func writes(_ master: Double, at time: Double) -> Bool {
      poll {
        state.update(with(master), at: time)
        return kept?.master == master
      }
    }
    #expect(writes(0.1, at: 10))
    state.update(with(0.2), at: 10.99)
    #expect(stays(for: 0.2) { kept?.master == 0.1 })
    #expect(writes(0.3, at: 11))
    #expect(unlink(file) == 0)
    state.update(with(0.3), at: 12.5)
    #expect(stays(for: 0.2) { kept == nil })
    #expect(writes(0.4, at: 14))
  }

  @Test func `a state that changes back after it was saved on request is written again`() throws {
    let state = StateFile(file)
    state.update(with(0.1), at: 10)
    #expect(poll { kept?.master == 0.1 })
    #expect(state.close(with(0.2))(120) == .kept)
    #expect(kept?.master == 0.2)
    #expect(
      poll {
        state.update(with(0.1), at: 11)
        return kept?.master == 0.1
      })
  }

  @Test func `settings that the graph no longer accepts are dropped, the others stay`() throws {
    var state = ShowState()
    state.graph = try #require(realpath(graph, nil).map { String(cString: $0) })
    state.settings = [
      ShowState.Setting(path: "gain.gain", value: "-6"), ShowState.Setting(path: "gone.gain", value: "-6"),
    ]
    try Data(RecordFile.text(state, version: ShowState.version).utf8).write(to: URL(filePath: file))
    let run = try stepped()
    #expect(run.says("what no longer fits is forgotten: gone.gain"))
    #expect(
      try poll {
        try run.frames(10)
        return kept?.settings.map(\.path) == ["gain.gain"]
      })
    #expect(run.end() == 0)
  }

  /// 10:00 of a day, in seconds since 1970.
  private static let now = 11_000 * 86_400 + 36_000

  /// A show whose look is a scene; one alarm rang so many seconds ago.
  private func clockGraph(_ seconds: Int) throws -> String {
    let second = (Self.now - seconds) % 86_400
    let time = [second / 3600, second / 60 % 60, second % 60].map { ($0 < 10 ? "0" : "") + "\($0)" }
    return try folder.write(
      """
      visgraph: 1
      main: evening
      scenes:
        evening: { level.to: [0, 0.25] }
        night: { level.to: [0, 0.75] }
      clock: [{ at: "\(time.joined(separator: ":"))", scene: night, seconds: 5, do: /visgraph/cue/goto 2 }]
      cues: { 1: { label: Doors }, 2: { label: Night } }
      nodes:
        tone: { type: tone-source, channels: 1, level: 0 dB }
        meter: { type: meter, release: 0 s }
        level: { type: range, from: [-160, -150], to: [0, 1] }
        rig: { type: osc-output, to: "127.0.0.1:9", rate: 0, repeat: 0.2 s }
      wires: [tone -> meter.in, meter.peak -> level -> rig]

      """, to: "clock.yaml")
  }

  @Test(arguments: [(late: 600, cue: "2"), (late: 5 * 3600, cue: nil)])
  func `alarms missed while the program was down act at once, and once`(
    _ alarm: (late: Int, cue: String?)
  ) throws {
    let graph = try clockGraph(alarm.late)
    var state = ShowState()
    state.graph = try #require(realpath(graph, nil).map { String(cString: $0) })
    state.scene = "evening"
    state.settings = [ShowState.Setting(path: "level.to", value: "[0, 0.5]")]
    state.clock = Self.now - alarm.late - 300
    try Data(RecordFile.text(state, version: ShowState.version).utf8).write(to: URL(filePath: file))
    let first = try SteppedRun(graph, "--state", file, second: Self.now)
    try first.frames(120)
    #expect(first.count(of: "late") == 1, "\(first.notes)")
    // Neither the scene before nor what was set by hand in it is seen, and no crossfade from there.
    let values = first.floats("/visgraph/rig/1")
    #expect(values.count > 3 && values.allSatisfy { $0 == 0.75 }, "\(values)")
    #expect(
      try poll {
        try first.frames(10)
        return kept?.scene == "night" && kept?.cue == alarm.cue
      }, "\(String(describing: kept)) \(first.notes)")
    #expect(first.end() == 0)

    let mark = try #require(kept?.clock)
    let second = try SteppedRun(graph, "--state", file, second: Self.now + 10)
    try second.frames(120)
    #expect(second.floats("/visgraph/rig/1").allSatisfy { $0 == 0.75 } && !second.says("late"))
    #expect(second.end() == 0, "\(second.notes)")
    #expect(kept?.clock ?? 0 >= mark && kept?.scene == "night")
  }

  @Test(.blocking) func `SIGKILL at any moment leaves the old state or the new one`() throws {
    let rounds = ProcessInfo.processInfo.environment["VISGRAPH_KILLS"].flatMap(Int.init) ?? 12
    var dice = SystemRandomNumberGenerator()
    for round in 0..<rounds {
      let child = try Child(
        [Visgraph.path, "run", graph, "--host", "clock", "--for", "600", "--state", file])
      let peer = try ControlPeer(try child.controlPort())
      let before = kept
      try peer.send("/visgraph/transport/play")
      try peer.send("/visgraph/master", .float(Float(round % 10) / 10))
      usleep(UInt32.random(in: 0..<1_300_000, using: &dice))
      child.signal(SIGKILL)
      #expect(child.exitCode() == -SIGKILL)
      guard FileManager.default.fileExists(atPath: file) else { continue }
      let state = try StateFile(file).read().get()
      let master = state?.master
      #expect(
        master == before?.master || master.map { abs($0 - Double(round % 10) / 10) < 1e-6 } == true
          || master == 1)
      #expect(state?.players.count == 1)
    }
  }
}
