import Foundation
import Glibc
import OSC
import TestSupport
import Testing

/// A running show that goes from scene to scene.
@Suite(.serialized, .blocking) struct SceneLiveTests {
  private let folder: TemporaryFolder
  private let ear: OscReceiver
  private let graph: String
  private let text: String

  init() throws {
    folder = try TemporaryFolder()
    ear = try OscReceiver()
    text = """
      visgraph: 1
      main: full
      scenes:
        full: { rig.rate: 0 }
        low: { gain.gain: -20 dB }
        dark: { like: low, seconds: 0.2, off: [rig] }
      nodes:
        tone: { type: tone-source, channels: 2, level: -20 dB }
        gain: { type: gain }
        meter: { type: meter, reference: rms, release: 0 s }
        level: { type: range, from: [-60, 0], to: [0, 1] }
        beat: { type: tone-source, tone: impulses, frequency: 2, level: 0 dB }
        ticks: { type: meter, release: 0.1 s }
        kick: { type: trigger }
        rig: { type: osc-output, to: "127.0.0.1:\(ear.port)", rate: 0, repeat: 0.2 s }
      wires: [tone -> gain -> meter -> level -> rig, beat -> ticks, ticks.peak -> kick]

      """
    graph = try folder.write(text, to: "graph.yaml")
  }

  private func start(_ more: String...) throws -> (child: Child, peer: ControlPeer) {
    let child = try Child([Visgraph.path, "run", graph, "--host", "clock", "--for", "600"] + more)
    return (child, try ControlPeer(try child.controlPort()))
  }

  /// The level of the scene full: a sine of -20 dB, whose square mean is 3.0103 dB less.
  private let full: Float = (60 - 23.0103) / 60

  private func shines(_ value: Float) -> Bool {
    poll(within: 20) { abs((ear.floats("/visgraph/rig/1").last ?? -1) - value) < 0.002 }
  }

  private func scene(_ peer: ControlPeer) throws -> Argument? {
    try peer.status(with: "/visgraph/status/scene").last { $0.address == "/visgraph/status/scene" }?
      .arguments.first
  }

  @Test func `it crosses by messages, says where it is, and comes back so after a reload and a restart`()
    throws
  {
    let state = folder.file("show.state")
    let (child, peer) = try start("--state", state)
    #expect(shines(full), "\(child.notes)")
    #expect(try scene(peer) == .string("full"))
    try peer.send("/visgraph/scene", .string("low"), .float(0.5))
    #expect(shines(full - 1.0 / 3), "\(child.notes)")
    let way = ear.floats("/visgraph/rig/1")
    #expect(way.allSatisfy { $0 <= full + 0.002 } && way.contains { $0 < full - 0.01 && $0 > full - 0.3 })
    try peer.send("/visgraph/scene/next")
    #expect(shines(0), "\(child.notes)")
    #expect(try scene(peer) == .string("dark"))
    try peer.send("/visgraph/scene", .string("strom"))
    #expect(poll { peer.refusals.contains { $0.hasPrefix("there is no scene strom; known are full") } })
    try peer.send("/visgraph/graph/reload")
    #expect(child.says("reloaded"))
    #expect(try scene(peer) == .string("dark") && shines(0))
    // A disk may take longer than a show that is asked to end.
    #expect(poll { (try? String(contentsOfFile: state, encoding: .utf8))?.contains("dark") == true })
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0)

    let (second, other) = try start("--state", state)
    #expect(try scene(other) == .string("dark"), "\(second.notes)")
    try other.send("/visgraph/scene/previous", .float(0))
    #expect(shines(full - 1.0 / 3), "\(second.notes)")
    // The scene is gone: the show goes where it starts.
    _ = try folder.write(text.replacing("low", with: "dim"), to: "graph.yaml")
    try other.send("/visgraph/graph/reload")
    #expect(shines(full), "\(second.notes)")
    #expect(second.says("the graph has no scene low any more"))
    second.signal(SIGTERM)
    #expect(second.exitCode() == 0)
  }

  @Test func `a scene that is renamed while it is faded to: the light goes where the status says`() throws {
    let (child, peer) = try start()
    #expect(shines(full), "\(child.notes)")
    try peer.send("/visgraph/scene", .string("low"), .float(4))
    #expect(poll(within: 20) { (ear.floats("/visgraph/rig/1").last ?? 1) < full - 0.02 }, "\(child.notes)")
    _ = try folder.write(text.replacing("low", with: "dim"), to: "graph.yaml")
    try peer.send("/visgraph/graph/reload")
    #expect(child.says("the graph has no scene low any more"))
    let facts = try peer.status(with: "/visgraph/status/scene").last {
      $0.address == "/visgraph/status/scene"
    }
    #expect(facts?.arguments.first == .string("full"))
    #expect(shines(full), "\(child.notes)")
    // It is there when the time is over, and stays.
    #expect(
      try poll(within: 20) {
        let fades = try peer.status(with: "/visgraph/status/scene")
        return !fades.contains { $0.address == "/visgraph/status/fade" }
      })
    #expect(shines(full), "\(child.notes)")
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0)
  }

  @Test func `a setting that no scene has any more is what the file says, though it was on its way`() throws {
    let (child, peer) = try start()
    #expect(shines(full), "\(child.notes)")
    try peer.send("/visgraph/scene", .string("low"), .float(4))
    #expect(poll(within: 20) { (ear.floats("/visgraph/rig/1").last ?? 1) < full - 0.02 }, "\(child.notes)")
    let plain = text.split(separator: "\n", omittingEmptySubsequences: false).filter {
      !$0.contains("main:") && !$0.contains("scenes:") && !$0.hasPrefix("  full:") && !$0.hasPrefix("  low:")
        && !$0.hasPrefix("  dark:")
    }.joined(separator: "\n")
    _ = try folder.write(plain, to: "graph.yaml")
    try peer.send("/visgraph/graph/reload")
    #expect(child.says("reloaded"))
    #expect(shines(full), "\(child.notes)")
    #expect(
      try !peer.status(with: "/visgraph/status/graph").contains { $0.address == "/visgraph/status/fade" })
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0)
  }

  @Test func `an event takes it to a scene`() throws {
    _ = try folder.write(
      text.replacing("main: full", with: "main: low")
        .replacing("kick: {", with: "drop: { type: scene-change, to: full }\n  kick: {")
        .replacing("ticks.peak -> kick]", with: "ticks.peak -> kick, kick.events -> drop]"), to: "graph.yaml")
    let (child, peer) = try start()
    #expect(poll(within: 20) { (try? scene(peer)) == .string("full") }, "\(child.notes)")
    #expect(shines(full), "\(child.notes)")
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0)
  }
}
