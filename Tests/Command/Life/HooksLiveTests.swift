import Foundation
import OSC
import TestSounds
import TestSupport
import Testing

/// Hooks of the real program, whose sound server goes and comes back.
@Suite(.serialized, .waiting) struct HooksLiveTests {
  private let folder: TemporaryFolder
  private let receiver: OscReceiver

  init() throws {
    folder = try TemporaryFolder()
    receiver = try OscReceiver()
    try folder.write(Wave.bytes([[Float](repeating: 0, count: 48_000)]), to: "song.wav")
    try folder.write(Wave.bytes([[Float](repeating: 0.25, count: 4800)]), to: "bell.wav")
  }

  /// The action of a hook that sends `/hook/EVENT` to `receiver`.
  private func action(_ event: String) -> String { "127.0.0.1:\(receiver.port)/hook/\(event)" }

  private func receives(_ event: String, times: Int = 1) -> Bool {
    poll(within: 60) { receiver.messages.count { $0.address == "/hook/\(event)" } >= times }
  }

  /// Writes a file in the format of `/proc/pressure/memory` (PSI), with so many microseconds in all; returns its path.
  private func writePressure(total microseconds: Int) throws -> String {
    try folder.write("some avg10=0.00 avg60=0.00 avg300=0.00 total=\(microseconds)\n", to: "pressure")
  }

  @Test(.blockingInJack) func `hooks of every kind run while the server is killed and comes back`() throws {
    let other = try folder.write(
      """
      visgraph: 1
      name: Other
      hooks: { end: [\(action("end-of-other"))] }
      nodes: { in: { type: jack-input }, meter: { type: meter } }
      wires: [in -> meter]

      """, to: "other.yaml")
    let name = JackTurn.clientName("tone")
    let graph = try folder.write(
      """
      visgraph: 1
      scenes: { calm: { gain.gain: -30 dB } }
      hooks:
        after: 0.5 s
        launch: \(action("launch"))
        ready: [\(action("ready")), /visgraph/master 0.5]
        active: '\(action("active")) 2.5 "and loud"'
        inactive: \(action("inactive"))
        silence: [\(action("silence")), /visgraph/scene calm 0.1]
        sound: [\(action("sound")), /visgraph/node/gain/gain -20]
        server-lost: [\(action("server-lost")), /visgraph/transport/pause]
        background: \(action("background"))
        server-back: [\(action("server-back")), /visgraph/node/bank/play bell]
        foreground: \(action("foreground"))
        low-memory: [\(action("low-memory")), /visgraph/graph/load other.yaml]
        end: \(action("end"))
      nodes:
        in: { type: jack-input, connect: ["\(name):out_1"] }
        gain: { type: gain }
        meter: { type: meter, release: 0.1 s }
        lights: { type: meter }
        level: { type: meter-table }
        rig: { type: osc-output, to: "127.0.0.1:\(receiver.port)" }
        song: { type: file-source, path: song.wav, loop: forever }
        bank: { type: sound-bank, sounds: { bell: bell.wav } }
        out: { type: jack-output }
      wires:
        - in -> meter
        - in -> gain -> lights -> level -> rig
        - song -> out
        - bank -> out
        - bank.completed -> rig.events

      """, to: "graph.yaml")
    let server = try JackServer()
    var jackPeer = try JackPeer(name, server: server.name, outputs: 1, sound: .silence)
    let child = try Visgraph.start(
      "run", graph, "--host", "jack", "--server", server.name,
      variables: ["VISGRAPH_PRESSURE_FILE": try writePressure(total: 0)])
    let controlClient = try ControlPeer(try child.controlPort())
    try controlClient.send(
      "/visgraph/subscribe", .string("/visgraph/node/gain/gain"), .float(30), .float(600))
    func gain(is value: Float) -> Bool {
      poll(within: 60) {
        controlClient.answers.last { $0.address == "/visgraph/node/gain/gain" }?.arguments == [.float(value)]
      }
    }
    /// Polls, as a short stall of the server on a busy machine puts the show in the background too.
    func state(is value: String) throws -> Bool {
      try poll(within: 60) {
        try controlClient.status(with: "/visgraph/status/state", within: 60)
          .last { $0.address == "/visgraph/status/state" }?.arguments.first == .string(value)
      }
    }

    #expect(receives("launch") && receives("ready"), "\(child.notes)")
    #expect(receives("silence") && receives("inactive") && gain(is: -30), "\(child.notes)")
    #expect(try state(is: "inactive"))
    jackPeer.play(.tone, on: 1)
    #expect(receives("sound") && receives("active") && gain(is: -20), "\(child.notes)")
    #expect(try state(is: "active"))
    let loud = receiver.messages.first { $0.address == "/hook/active" }
    #expect(loud?.values == [.float(2.5), .string("and loud")])

    server.kill()
    #expect(
      receives("server-lost") && receives("inactive", times: 2) && receives("background"), "\(child.notes)")
    #expect(try state(is: "background"))
    let playing = "/visgraph/status/node/song/playing"
    #expect(
      try poll(within: 60) {
        try controlClient.status(with: playing, within: 60).last { $0.address == playing }?.arguments
          == [.int(0)]
      })
    jackPeer.close()
    try server.start()
    jackPeer = try JackPeer(name, server: server.name, outputs: 1, sound: .tone)
    #expect(
      receives("server-back") && receives("foreground") && receives("active", times: 2), "\(child.notes)")
    // A server that stands still once more on a busy machine drops a sound that was to begin: the next return plays it
    // again.
    var isRung: Bool { receiver.messages.contains { $0.address == "/visgraph/rig/bank/bell/1" } }
    for times in 2...4 where stays(for: 30, { !isRung }) {
      server.kill()
      #expect(receives("server-lost", times: times), "\(child.notes)")
      jackPeer.close()
      try server.start()
      jackPeer = try JackPeer(name, server: server.name, outputs: 1, sound: .tone)
      #expect(receives("server-back", times: times), "\(child.notes)")
    }
    #expect(isRung, "\(Set(receiver.messages.map(\.address))) \(child.notes)")

    _ = try writePressure(total: 90_000_000)
    #expect(receives("low-memory"), "\(child.notes)")
    #expect(child.says("memory runs short") && child.says("runs \(other)", within: 60), "\(child.notes)")
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0)
    #expect(receives("end-of-other"))
    #expect(!receiver.messages.contains { $0.address == "/hook/end" })
    // An action that fails is logged as `hook EVENT: …`.
    #expect(!child.notes.contains("hook "), "\(child.notes)")
  }

  @Test(.blockingInJack)
  func `stalls shorter than settle run no hook, and a receiver that does not listen is a fault`()
    throws
  {
    let port = try OscReceiver.closedPort()
    let graph = try folder.write(
      """
      visgraph: 1
      hooks:
        settle: 600 s
        active: \(action("active"))
        inactive: \(action("inactive"))
        background: \(action("background"))
        server-lost: \(action("server-lost"))
        ready: 127.0.0.1:\(port)/ready
      nodes:
        tone: { type: tone-source }
        out: { type: jack-output }
        meter: { type: meter }
      wires: [tone -> out, tone -> meter]

      """, to: "graph.yaml")
    let server = try JackServer()
    let child = try Visgraph.start("run", graph, "--host", "jack", "--server", server.name)
    #expect(receives("active"), "\(child.notes)")
    let controlClient = try ControlPeer(try child.controlPort())
    let state = "nobody listens on 127.0.0.1:\(port)"
    let isTold = try poll(within: 60) {
      let told = try controlClient.status(with: "/visgraph/status/end")
      return told.contains { $0.arguments == [.string("hooks: \(state)")] }
        && told.contains { message in
          message.address.hasPrefix("/visgraph/status/target/hooks/")
            && message.arguments.prefix(3) == [.string("127.0.0.1:\(port)"), .int(0), .string(state)]
        } && told.contains { $0.address == "/visgraph/status/healthy" && $0.arguments == [.int(0)] }
    }
    #expect(isTold, "\(controlClient.answers)")
    #expect(child.says("visgraph: hooks: \(state)\n"), "\(child.notes)")
    /// Whether the newest line about cycles says that there are none. Such lines are not counted, as a busy machine
    /// stalls the server by itself, and after a stall at the start the client is reported instead of its cycles.
    func isStalled() -> Bool {
      let lines = child.notes.split(separator: "\n").filter { line in
        ["runs no cycles", "runs cycles again", "JACK client"].contains { line.contains($0) }
      }
      return lines.last?.contains("runs no cycles") == true
    }
    for round in 1...3 {
      #expect(poll { !isStalled() }, "round \(round): \(child.notes)")
      server.freeze(true)
      #expect(poll { isStalled() }, "round \(round): \(child.notes)")
      server.freeze(false)
      #expect(poll { !isStalled() }, "round \(round): \(child.notes)")
    }
    #expect(child.notes.components(separatedBy: "runs no cycles").count > 3, "\(child.notes)")
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0)
    let events = Set(receiver.messages.map(\.address))
    #expect(events == ["/hook/active"], "\(child.notes)")
  }

  @Test func `hooks that trigger each other are slowed down, and the show ends in time`() throws {
    let graph = try folder.write(
      """
      visgraph: 1
      hooks:
        active: [\(action("active")), /visgraph/transport/pause]
        inactive: [\(action("inactive")), /visgraph/transport/play]
        background: /visgraph/graph/load graph.yaml
        end: \(action("end"))
      nodes:
        song: { type: file-source, path: song.wav, loop: forever }
        out: { type: jack-output }
      wires: [song -> out]

      """, to: "graph.yaml")
    let run = try SteppedRun(graph)
    func count(of event: String) -> Int { receiver.messages.count { $0.address == "/hook/\(event)" } }
    let frames = try run.frames(atMost: 3600) { run.says("trigger each other in a loop") }
    #expect(frames != nil, "\(run.notes)")
    try run.frames(600)
    #expect(poll { count(of: "active") + count(of: "inactive") >= 4 }, "\(run.notes)")
    // At most so many in a minute and ten seconds.
    #expect(count(of: "active") <= 60 && count(of: "inactive") <= 60)
    #expect(run.count(of: "trigger each other") < 10, "\(run.notes)")
    #expect(run.end() == 0, "\(run.notes)")
    #expect(receives("end"))
  }

  @Test func `check reports what a hook would not find`() throws {
    let graph = try folder.write(
      """
      visgraph: 1
      hooks: { sound: [/visgraph/node/bank/play bell, /visgraph/node/bank/play gong] }
      nodes:
        bank: { type: sound-bank, sounds: { bell: bell.wav } }
        out: { type: jack-output }
      wires: [bank -> out]

      """, to: "graph.yaml")
    let ending = try Visgraph.run("check", graph)
    #expect(ending.code == 2)
    #expect(
      ending.notes.contains(
        "graph.yaml:2:49: error: hooks.sound: nothing has a sound called gong [control-sound]"),
      "\(ending.notes)\(ending.results)")
  }
}
