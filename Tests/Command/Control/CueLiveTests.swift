import Foundation
import OSC
import TestSounds
import TestSupport
import Testing

/// A show that goes through its cues, and does things by the time of day.
@Suite(.serialized, .blocking) struct CueLiveTests {
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

  private func start(_ graph: String, _ more: String...) throws -> (child: Child, peer: ControlPeer) {
    let child = try Child([Visgraph.path, "run", graph, "--host", "clock", "--for", "600"] + more)
    return (child, try ControlPeer(try child.controlPort()))
  }

  private func shines(_ value: Float) -> Bool {
    poll(within: 60) { abs((ear.floats("/visgraph/rig/1").last ?? -1) - value) < 0.002 }
  }

  private func cue(_ peer: ControlPeer) throws -> String {
    let status = try peer.status(with: "/visgraph/status/cue")
    return status.filter { $0.address.hasPrefix("/visgraph/status/cue") }.map { message in
      message.arguments.prefix(2).map { if case .string(let text) = $0 { text } else { "?" } }
        .joined(separator: " ")
    }.joined(separator: " > ")
  }

  /// Whether the show comes to stand so; asked now and then, as a port that is asked too much lets messages go by.
  private func stands(_ text: String, _ peer: ControlPeer) -> Bool {
    poll(within: 60) {
      if (try? cue(peer)) == text { return true }
      return stays(for: 0.2) { true } && false
    }
  }

  @Test func `cues are gone through by messages and by themselves, and stand again after a restart`() throws {
    let state = folder.file("show.state")
    let graph = try graph(Self.cues)
    let (child, peer) = try start(graph, "--state", state)
    #expect(shines(0.25), "\(child.notes)")
    #expect(try cue(peer) == "  > 1 Doors")
    try peer.send("/visgraph/cue/go")
    // 1 goes on to 2, and that to 2.5, which waits.
    #expect(stands("2.5  > 4 End", peer), "\(child.notes)")
    #expect(shines(0.25), "\(child.notes)")
    let values = ear.floats("/visgraph/rig/1")
    let high = try #require(values.firstIndex(of: 0.75), "\(values)")
    #expect(values[high...].contains(0.5) && values.allSatisfy { $0 <= 0.75 }, "\(values)")
    #expect(poll { ear.messages.contains { $0.address == "/visgraph/rig/pads/kick/1" } }, "\(child.notes)")
    #expect(child.says("cue 1 Doors") && child.says("cue 2 Storm") && child.says("cue 2.5"))
    try peer.send("/visgraph/cue/goto", .string("3"))
    let refusal = "there is no cue 3; known are 1, 2, 2.5, 4"
    #expect(poll(within: 20) { peer.refusals.contains { $0.hasPrefix(refusal) } }, "\(peer.refusals)")
    try peer.send("/visgraph/cue/go")
    #expect(shines(0), "\(child.notes)")
    try peer.send("/visgraph/cue/go")
    #expect(poll { peer.refusals.contains { $0.hasPrefix("this is the last cue") } })
    try peer.send("/visgraph/cue/back")
    #expect(stands("2.5  > 4 End", peer), "\(child.notes)")
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0)
    // The end does not wait for a disk that takes long.
    if child.notes.contains("is not kept") { return noteTooBusy("the state was not kept in time") }

    let (second, other) = try start(graph, "--state", state)
    #expect(try cue(other) == "2.5  > 4 End", "\(child.notes) \(second.notes)")
    try other.send("/visgraph/graph/reload")
    #expect(second.says("reloaded"))
    #expect(try cue(other) == "2.5  > 4 End")
    second.signal(SIGTERM)
    #expect(second.exitCode() == 0)
  }

  @Test
  func `a surface is told in how many seconds a cue comes by itself, and that it waits after stop and back`()
    throws
  {
    let graph = try graph(
      "cues: { 1: { label: A, continue: 600 }, 2: { label: B }, 3: { label: C, continue: 600 } }")
    let (child, peer) = try start(graph)
    let surface = try ControlPeer(try child.controlPort())
    try surface.send("/visgraph/subscribe", .string("/visgraph/cue"), .int(30), .int(600))
    func left() -> [Argument]? { surface.answers.last { $0.address == "/visgraph/cue/left" }?.arguments }
    func counts() -> Bool {
      poll(within: 60) {
        if case .float(let seconds)? = left()?.first { 500 < seconds && seconds < 600 } else { false }
      }
    }
    try peer.send("/visgraph/cue/go")
    #expect(counts(), "\(child.notes)")
    // In tenths.
    if case .float(let seconds)? = left()?.first { #expect((seconds * 10).rounded() / 10 == seconds) }
    try peer.send("/visgraph/cue/stop")
    #expect(poll(within: 60) { left() == [] }, "\(child.notes)")
    try peer.send("/visgraph/cue/goto", .int(1))
    #expect(counts(), "\(child.notes)")
    try peer.send("/visgraph/cue/go")
    try peer.send("/visgraph/cue/back")
    #expect(poll(within: 60) { left() == [] }, "\(child.notes)")
    #expect(stands("1 A > 2 B", peer), "\(child.notes)")
    #expect(stays(for: 0.3) { left() == [] })
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0)
  }

  @Test func `an alarm rings at its time`() throws {
    // Several, as a busy machine takes a while to start; the day may end meanwhile.
    let now = Int(Date().timeIntervalSince1970)
    let times = [5, 15, 30, 50].map { later -> String in
      let second = (now + later) % 86_400
      let parts = [second / 3600, second / 60 % 60, second % 60]
      return parts.map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(separator: ":")
    }
    let alarms = times.map { "  - { at: \"\($0)\", scene: high, do: [/visgraph/cue/goto 2] }" }
    let graph = try graph(Self.cues + "\nclock:\n" + alarms.joined(separator: "\n"))
    let child = try Child(
      [Visgraph.path, "run", graph, "--host", "clock", "--for", "600"], variables: ["TZ": "UTC"])
    let peer = try ControlPeer(try child.controlPort())
    #expect(child.says("alarm ", within: 90), "\(child.notes)")
    #expect(stands("2.5  > 4 End", peer), "\(child.notes)")
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0)
  }

  @Test func `a cue tells another program, and a message to where nobody listens is a fault of a receiver`()
    throws
  {
    let gone = try OscReceiver.closedPort()
    let graph = try graph(
      """
      cues:
        1: { do: ["127.0.0.1:\(ear.port)/lift 1 \\"so high\\"", /visgraph/scene high 0] }
        2: { do: "127.0.0.1:\(gone)/lift 0" }
      """)
    let (child, peer) = try start(graph)
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

  @Test func `a constant is set live by messages and by its fader`() throws {
    let path = try folder.write(
      """
      visgraph: 1
      nodes:
        house: { type: constant, channels: 2 }
        rig: { type: osc-output, to: "127.0.0.1:\(ear.port)", rate: 0, repeat: 0.2 s }
      wires: [house -> rig]

      """, to: "house.yaml")
    let (child, peer) = try start(path)
    func shines(_ one: Float, _ two: Float) -> Bool {
      poll(within: 60) {
        ear.floats("/visgraph/rig/1").last == one && ear.floats("/visgraph/rig/2").last == two
      }
    }
    #expect(shines(1, 1), "\(child.notes)")
    try peer.send("/visgraph/node/house/value", .float(0.25))
    #expect(shines(0.25, 0.25), "\(child.notes)")
    try peer.send("/visgraph/fader/house/value", .float(0.5))
    #expect(shines(0.5, 0.5), "\(child.notes)")
    try peer.send("/visgraph/node/house/2/value", .float(0.75))
    #expect(shines(0.5, 0.75), "\(child.notes)")
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0)
  }

  /// A zone whose clocks show so many seconds more than those of Greenwich, as files of zones have it.
  private func zone(_ offset: Int32) -> Data {
    let counts: [Int32] = [0, 0, 0, 0, 1, 4]
    let numbers = (counts + [offset]).flatMap { number in withUnsafeBytes(of: number.bigEndian, Array.init) }
    return Data("TZif".utf8) + Data(count: 16) + Data(numbers) + Data([0, 0]) + Data("UTC\0".utf8)
  }

  @Test func `clocks that are put forward and back during a show bring each alarm once, and hold up nothing`()
    throws
  {
    let now = Int(Date().timeIntervalSince1970)
    let times = [30 * 60, 90 * 60].map { later -> String in
      let second = (now + later) % 86_400
      return [second / 3600, second / 60 % 60, second % 60].map { ($0 < 10 ? "0" : "") + "\($0)" }
        .joined(separator: ":")
    }
    let graph = try graph(
      "clock: [{ at: \"\(times[0])\", scene: high }, { at: \"\(times[1])\", do: /visgraph/master 0.5 }]")
    // The place where the system says which zone it is in; in a folder that is ours.
    let place = folder.file("localtime")
    var changes = 0.0
    // The C library looks whether the file is another one by its time of change in whole seconds.
    func show(_ offset: Int32) throws {
      try zone(offset).write(to: URL(filePath: place))
      changes += 10
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: changes)], ofItemAtPath: place)
    }
    try show(0)
    let elsewhere = Namespaces(mounts: ["--bind '\(place)' /etc/localtime"])
    let child = try Child(
      elsewhere.command([Visgraph.path, "run", graph, "--host", "clock", "--for", "600"]))
    #expect(shines(0.25), "\(child.notes)")
    try show(3600)
    #expect(child.says("alarm \(times[0])") && shines(0.75), "\(child.notes)")
    try show(0)
    let peer = try ControlPeer(try child.controlPort())
    try peer.send("/visgraph/scene", .string("low"), .float(0))
    #expect(shines(0.25), "\(child.notes)")
    try show(7200)
    // Past both, of which one has been.
    #expect(child.says("alarm \(times[1])") && shines(0.125), "\(child.notes)")
    #expect(child.notes.components(separatedBy: "alarm ").count == 3, "\(child.notes)")
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0)
  }

  @Test func `cues of a score act in their frames offline, follow-ons and all`() throws {
    let graph = try graph(Self.cues)
    let path = folder.file("cues.osc")
    let score = try ScoreWriter(path: path, replacing: true)
    try Message("/visgraph/cue/go").packet().withUnsafeBytes { score.write($0, at: 1) }
    try score.finish()
    for cycle in ["32", "1024"] {
      let child = try Child([
        Visgraph.path, "render", graph, "--control", path, "-o", folder.file("\(cycle).csv"), "--for", "3",
        "--cycle", cycle,
      ])
      #expect(child.exitCode() == 0 && child.notes == "", "\(child.notes)")
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

  @Test func `a cue file beside the graph counts, and one that is no such file is told`() throws {
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
