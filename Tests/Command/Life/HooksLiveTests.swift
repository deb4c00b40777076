import Foundation
import OSC
import TestSounds
import TestSupport
import Testing

/// Hooks of the real program, whose sound server goes and comes back.
@Suite(.serialized, .blockingInJack) struct HooksLiveTests {
  private let folder: TemporaryFolder
  private let ear: OscReceiver

  init() throws {
    folder = try TemporaryFolder()
    ear = try OscReceiver()
    try folder.write(Wave.bytes([[Float](repeating: 0, count: 48_000)]), to: "song.wav")
    try folder.write(Wave.bytes([[Float](repeating: 0.25, count: 4800)]), to: "bell.wav")
  }

  /// An action that sends to the ear.
  private func tell(_ event: String) -> String { "127.0.0.1:\(ear.port)/hook/\(event)" }

  private func hears(_ event: String, times: Int = 1) -> Bool {
    poll(within: 60) { ear.messages.count { $0.address == "/hook/\(event)" } >= times }
  }

  /// Writes what the kernel would say of memory.
  private func write(waited microseconds: Int) throws -> String {
    try folder.write("some avg10=0.00 avg60=0.00 avg300=0.00 total=\(microseconds)\n", to: "pressure")
  }

  @Test func `hooks of every kind run while the server is killed and comes back`() throws {
    let other = try folder.write(
      """
      visgraph: 1
      name: Other
      hooks: { end: [\(tell("end-of-other"))] }
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
        launch: \(tell("launch"))
        ready: [\(tell("ready")), /visgraph/master 0.5]
        active: '\(tell("active")) 2.5 "and loud"'
        inactive: \(tell("inactive"))
        silence: [\(tell("silence")), /visgraph/scene calm 0.1]
        sound: [\(tell("sound")), /visgraph/node/gain/gain -20]
        server-lost: [\(tell("server-lost")), /visgraph/transport/pause]
        background: \(tell("background"))
        server-back: [\(tell("server-back")), /visgraph/node/bank/play bell]
        foreground: \(tell("foreground"))
        low-memory: [\(tell("low-memory")), /visgraph/graph/load other.yaml]
        end: \(tell("end"))
      nodes:
        in: { type: jack-input, connect: ["\(name):out_1"] }
        gain: { type: gain }
        meter: { type: meter, release: 0.1 s }
        lights: { type: meter }
        level: { type: meter-table }
        rig: { type: osc-output, to: "127.0.0.1:\(ear.port)" }
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
    var tone = try JackPeer(name, server: server.name, outputs: 1, sound: .silence)
    let child = try Visgraph.start(
      "run", graph, "--host", "jack", "--server", server.name,
      variables: ["VISGRAPH_PRESSURE_FILE": try write(waited: 0)])
    let peer = try ControlPeer(try child.controlPort())
    try peer.send("/visgraph/subscribe", .string("/visgraph/node/gain/gain"), .float(30), .float(600))
    func gain(is value: Float) -> Bool {
      poll(within: 60) {
        peer.answers.last { $0.address == "/visgraph/node/gain/gain" }?.arguments == [.float(value)]
      }
    }
    /// Not at the first look: a machine that holds the server up for a moment puts the show in the background.
    func state(is value: String) throws -> Bool {
      try poll(within: 60) {
        try peer.status(with: "/visgraph/status/state", within: 60)
          .last { $0.address == "/visgraph/status/state" }?.arguments.first == .string(value)
      }
    }

    #expect(hears("launch") && hears("ready"), "\(child.notes)")
    #expect(hears("silence") && hears("inactive") && gain(is: -30), "\(child.notes)")
    #expect(try state(is: "inactive"))
    tone.play(.tone, on: 1)
    #expect(hears("sound") && hears("active") && gain(is: -20), "\(child.notes)")
    #expect(try state(is: "active"))
    let loud = ear.messages.first { $0.address == "/hook/active" }
    #expect(loud?.values == [.float(2.5), .string("and loud")])

    server.kill()
    #expect(hears("server-lost") && hears("inactive", times: 2) && hears("background"), "\(child.notes)")
    #expect(try state(is: "background"))
    let lost = try peer.status(with: "/visgraph/status/node/song/playing", within: 60)
    #expect(lost.last { $0.address == "/visgraph/status/node/song/playing" }?.arguments == [.int(0)])
    tone.close()
    try server.start()
    tone = try JackPeer(name, server: server.name, outputs: 1, sound: .tone)
    #expect(hears("server-back") && hears("foreground") && hears("active", times: 2), "\(child.notes)")
    #expect(
      poll(within: 60) { ear.messages.contains { $0.address == "/visgraph/rig/bank/bell/1" } },
      "\(Set(ear.messages.map(\.address))) \(child.notes)")

    _ = try write(waited: 90_000_000)
    #expect(hears("low-memory"), "\(child.notes)")
    #expect(child.says("memory runs short") && child.says("runs \(other)", within: 60), "\(child.notes)")
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0)
    #expect(hears("end-of-other"))
    #expect(!ear.messages.contains { $0.address == "/hook/end" })
    #expect(!child.notes.contains("hook "), "\(child.notes)")
  }

  @Test func `a server that stands still runs no hook, and a receiver that does not listen is a fault`()
    throws
  {
    let port = try OscReceiver.closedPort()
    let graph = try folder.write(
      """
      visgraph: 1
      hooks:
        settle: 600 s
        active: \(tell("active"))
        inactive: \(tell("inactive"))
        background: \(tell("background"))
        server-lost: \(tell("server-lost"))
        ready: 127.0.0.1:\(port)/ready
      nodes:
        tone: { type: tone-source }
        out: { type: jack-output }
        meter: { type: meter }
      wires: [tone -> out, tone -> meter]

      """, to: "graph.yaml")
    let server = try JackServer()
    let child = try Visgraph.start("run", graph, "--host", "jack", "--server", server.name)
    #expect(hears("active"), "\(child.notes)")
    let peer = try ControlPeer(try child.controlPort())
    let state = "nobody listens on 127.0.0.1:\(port)"
    let isTold = try poll(within: 60) {
      let told = try peer.status(with: "/visgraph/status/end")
      return told.contains { $0.arguments == [.string("hooks: \(state)")] }
        && told.contains { message in
          message.address.hasPrefix("/visgraph/status/target/hooks/")
            && message.arguments.prefix(3) == [.string("127.0.0.1:\(port)"), .int(0), .string(state)]
        } && told.contains { $0.address == "/visgraph/status/healthy" && $0.arguments == [.int(0)] }
    }
    #expect(isTold, "\(peer.answers)")
    #expect(child.says("visgraph: hooks: \(state)\n"), "\(child.notes)")
    for round in 1...3 {
      server.freeze(true)
      #expect(child.says("the JACK server runs no cycles", times: round), "\(child.notes)")
      server.freeze(false)
      #expect(child.says("the JACK server runs cycles again", times: round), "\(child.notes)")
    }
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0)
    let events = Set(ear.messages.map(\.address))
    #expect(events == ["/hook/active"], "\(child.notes)")
  }

  @Test func `hooks that set each other off in a circle end up slow, and the show ends in time`() throws {
    let graph = try folder.write(
      """
      visgraph: 1
      hooks:
        active: [\(tell("active")), /visgraph/transport/pause]
        inactive: [\(tell("inactive")), /visgraph/transport/play]
        background: /visgraph/graph/load graph.yaml
        end: \(tell("end"))
      nodes:
        song: { type: file-source, path: song.wav, loop: forever }
        out: { type: jack-output }
      wires: [song -> out]

      """, to: "graph.yaml")
    let child = try Visgraph.start("run", graph, "--host", "clock", "--for", "600")
    #expect(child.says("set each other off in a circle", within: 60), "\(child.notes)")
    let counts = { (event: String) in ear.messages.count { $0.address == "/hook/\(event)" } }
    #expect(counts("active") + counts("inactive") >= 4, "\(child.notes)")
    #expect(counts("active") <= 30 && counts("inactive") <= 30)
    #expect(child.notes.components(separatedBy: "set each other off").count < 10)
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0)
    #expect(hears("end"))
  }

  @Test func `what a hook would not find is an error of check`() throws {
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
