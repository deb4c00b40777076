import Foundation
import Glibc
import OSC
import TestSupport
import Testing

@testable import Graphs
@testable import visgraph

/// `--state FILE`: a show comes back as it was.
@Suite(.serialized, .blocking) struct StateTests {
  private let folder: TemporaryFolder
  private let ear: OscReceiver
  private let graph: String
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    ear = try OscReceiver()
    file = folder.file("show.state")
    _ = try folder.write(Sounds.wave(Sounds.lively(seconds: 60)), to: "song.wav")
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

  @Test func `settings, master, blackout and players come back after a restart`() throws {
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
    first.signal(SIGTERM)
    #expect(first.exitCode() == 0)
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
    second.signal(SIGTERM)
    #expect(second.exitCode() == 0)
  }

  @Test func `a file that is torn, somebody else's, or of another graph is left aside with a word`() throws {
    for (text, word) in [
      ("visgraph-state: 1\nmaster: 0.5\n", "is not whole [torn-file]"),
      ("", "is not whole [torn-file]"),
      ("hello: world\n...\n", "is no file of this kind [foreign-file]"),
      ("visgraph-state: 2\nfaders: 9\n...\n", "was written by a newer visgraph [newer-version]"),
      ("visgraph-state: 1\nmaster: loud\n...\n", "master is \"loud\""),
      ("visgraph-state: 1\ngraph: /elsewhere.yaml\nmaster: 0.5\n...\n", "is of /elsewhere.yaml"),
    ] {
      try Data(text.utf8).write(to: URL(filePath: file))
      let child = try Child(
        [Visgraph.path, "run", graph, "--host", "clock", "--for", "0.3", "--control", "off", "--state", file])
      #expect(child.exitCode() == 0, "\(child.notes)")
      #expect(child.notes.contains(word), "\(text): \(child.notes)")
      #expect(child.notes.contains("the show begins as the graph says"))
      // The end has written it anew.
      #expect(kept?.master == 1, "\(text)")
    }
  }

  @Test func `settings that the graph does not take any more are forgotten, the others stay`() throws {
    var state = ShowState()
    state.graph = try #require(realpath(graph, nil).map { String(cString: $0) })
    state.settings = [
      ShowState.Setting(path: "gain.gain", value: "-6"), ShowState.Setting(path: "gone.gain", value: "-6"),
    ]
    try Data(RecordFile.text(state, version: ShowState.version).utf8).write(to: URL(filePath: file))
    let (child, _) = try start()
    #expect(child.says("what does not fit any more is forgotten: gone.gain"))
    #expect(poll { kept?.settings.map(\.path) == ["gain.gain"] })
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0)
  }

  @Test func `a kill at any moment leaves the old state or the new one`() throws {
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

/// `visgraph save`: what was set live goes into the graph file.
@Suite(.serialized, .blocking) struct SaveTests {
  @Test func `what was set stands in the file, and nothing else of it has changed`() throws {
    let folder = try TemporaryFolder()
    let text = """
      # My show.
      visgraph: 1
      nodes:
        tone: { type: tone-source,  level: -20 dB }   # quiet
        meter:
          # slow
          type: meter
      wires: [tone -> meter]

      """
    let graph = try folder.write(text, to: "graph.yaml")
    let child = try Visgraph.start("run", graph, "--host", "clock", "--for", "600", "--watch")
    let port = try child.controlPort()
    let peer = try ControlPeer(port)
    #expect(try Visgraph.run("save", "\(port)").code == 0)
    #expect(child.says("nothing was set that could be saved"))
    try peer.send("/visgraph/node/tone/level", .float(-12))
    try peer.send("/visgraph/node/meter/release", .float(0.5))
    #expect(try Visgraph.run("save", "\(port)").code == 0)
    #expect(child.says("saved 2 settings into \(graph)"), "\(child.notes)")
    let saved = try String(contentsOfFile: graph, encoding: .utf8)
    #expect(
      saved
        == text.replacing("level: -20 dB", with: "level: -12")
        .replacing("type: meter\nwires", with: "type: meter\n    release: 0.5\nwires"), "\(saved)")
    #expect(!child.notes.contains("reloaded"))

    // Somebody else has been at the file: theirs comes first.
    try Data((saved + "# theirs\n").utf8).write(to: URL(filePath: graph))
    #expect(child.says("reloaded"))
    try Data((saved + "# theirs again\n").utf8).write(to: URL(filePath: folder.file("other.yaml")))
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0)
    #expect(try Visgraph.run("save", "\(port)").code == 1)
  }

  @Test func `a file that was changed meanwhile is not written over`() throws {
    let folder = try TemporaryFolder()
    let graph = try folder.write(
      "visgraph: 1\nnodes: { tone: { type: tone-source }, meter: { type: meter } }\nwires: [tone -> meter]\n",
      to: "graph.yaml")
    let child = try Visgraph.start("run", graph, "--host", "clock", "--for", "600", "--no-watch")
    let port = try child.controlPort()
    let peer = try ControlPeer(port)
    try peer.send("/visgraph/node/tone/level", .float(-12))
    let theirs = try String(contentsOfFile: graph, encoding: .utf8) + "# theirs\n"
    try Data(theirs.utf8).write(to: URL(filePath: graph))
    let ending = try Visgraph.run("save", "\(port)")
    #expect(
      ending.code == 1 && ending.notes.contains("has been changed since it was read"), "\(ending.notes)")
    #expect(try String(contentsOfFile: graph, encoding: .utf8) == theirs)
    child.signal(SIGHUP)
    #expect(child.says("reloaded"))
    #expect(try Visgraph.run("save", "\(port)").code == 0)
    #expect(poll { (try? String(contentsOfFile: graph, encoding: .utf8))?.contains("level: -12") == true })
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0)
  }
}
