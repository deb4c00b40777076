import Foundation
import Glibc
import OSC
import TestSupport
import Testing

/// A running show that goes from scene to scene.
@Suite(.serialized, .waiting) struct SceneLiveTests {
  private let folder: TemporaryFolder
  private let graph: String
  private let text: String

  init() throws {
    folder = try TemporaryFolder()
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
        rig: { type: osc-output, to: "127.0.0.1:9", rate: 0, repeat: 0.2 s }
      wires: [tone -> gain -> meter -> level -> rig, beat -> ticks, ticks.peak -> kick]

      """
    graph = try folder.write(text, to: "graph.yaml")
  }

  /// The level of the scene full: a sine of -20 dB, whose square mean is 3.0103 dB less.
  private let full: Float = (60 - 23.0103) / 60
  private let light = "/visgraph/rig/1"

  private func start(_ more: String...) throws -> SteppedRun {
    let run = try SteppedRun(command: ["run", graph, "--control", "off"] + more)
    try run.frames(30)
    #expect(near(run, full), "\(run.notes)")
    return run
  }

  private func near(_ run: SteppedRun, _ value: Float) -> Bool { abs((run.last(light) ?? -1) - value) < 2e-3 }

  private func scene(_ run: SteppedRun) -> Argument? { run.status("scene")?.first }

  @Test(.blocking) func `it crosses by messages, says where it is, and comes back so after a restart`() throws
  {
    let ear = try OscReceiver()
    let state = folder.file("show.state")
    _ = try folder.write(text.replacing("127.0.0.1:9\"", with: "127.0.0.1:\(ear.port)\""), to: "graph.yaml")
    func start() throws -> (child: Child, peer: ControlPeer) {
      let child = try Visgraph.start("run", graph, "--host", "clock", "--for", "600", "--state", state)
      return (child, try ControlPeer(try child.controlPort()))
    }
    func shines(_ value: Float) -> Bool {
      poll(within: 20) { abs((ear.floats(light).last ?? -1) - value) < 0.002 }
    }
    func scene(_ peer: ControlPeer) throws -> Argument? {
      try peer.status(with: "/visgraph/status/scene").last { $0.address == "/visgraph/status/scene" }?
        .arguments.first
    }
    let (child, peer) = try start()
    #expect(shines(full), "\(child.notes)")
    try peer.send("/visgraph/scene", .string("low"), .float(0.2))
    #expect(shines(full - 1.0 / 3), "\(child.notes)")
    // A disk may take longer than a show that is asked to end.
    #expect(poll { (try? String(contentsOfFile: state, encoding: .utf8))?.contains("low") == true })
    #expect(child.endsWell(), "\(child.notes)")

    let (second, other) = try start()
    #expect(try scene(other) == .string("low"), "\(second.notes)")
    #expect(second.endsWell(), "\(second.notes)")
  }

  @Test func `a show crossfades by messages, reports its scene, and keeps it after a reload and a restart`()
    throws
  {
    let state = folder.file("show.state")
    let run = try start("--state", state)
    #expect(scene(run) == .string("full"))
    try run.send("/visgraph/scene", .string("low"), .float(0.5))
    // -20 dB of 60 in 30 frames: half a decibel in each down to -10 dB, then one, and no further.
    let way = try run.levels("level/1", frames: 40)
    #expect(zip(way[..<30], way[1...]).allSatisfy { $1 < $0 && $0 - $1 < 1.1 / 60 }, "\(way)")
    #expect(abs(way[20] - full + 10.0 / 60) < 0.01, "\(way)")
    #expect(way[31...].allSatisfy { abs($0 - full + 1.0 / 3) < 1e-3 }, "\(way)")
    try run.send("/visgraph/scene/next")
    try run.frames(16)
    #expect(run.last(light) == 0 && scene(run) == .string("dark"))
    try run.send("/visgraph/scene", .string("strom"))
    #expect(run.refusals.first?.hasPrefix("there is no scene strom; the graph has: full") == true)
    try run.send("/visgraph/graph/reload")
    #expect(run.says("reloaded") && scene(run) == .string("dark"))
    try run.frames(5)
    #expect(run.last(light) == 0)
    #expect(run.end() == 0)

    let second = try SteppedRun(graph, "--state", state)
    #expect(scene(second) == .string("dark"), "\(second.notes)")
    try second.send("/visgraph/scene/previous", .float(0))
    try second.frames(5)
    #expect(near(second, full - 1.0 / 3), "\(second.notes)")
    // The scene is gone: the show goes where it starts.
    _ = try folder.write(text.replacing("low", with: "dim"), to: "graph.yaml")
    try second.send("/visgraph/graph/reload")
    try second.frames(5)
    #expect(near(second, full) && second.says("the graph has no scene low any more"))
    #expect(second.end() == 0)
  }

  @Test func `if a scene is renamed during its crossfade, the lights go where the status states`() throws {
    let run = try start()
    try run.send("/visgraph/scene", .string("low"), .float(4))
    try run.frames(60)
    #expect(near(run, full - 3.75 / 60), "\(run.last(light) ?? -1)")
    _ = try folder.write(text.replacing("low", with: "dim"), to: "graph.yaml")
    try run.send("/visgraph/graph/reload")
    #expect(run.says("the graph has no scene low any more") && scene(run) == .string("full"))
    #expect(run.status("fade") != nil)
    // It is there when the time is over, and stays.
    try run.frames(170)
    #expect(run.status("fade") != nil && !near(run, full))
    try run.frames(12)
    #expect(run.status("fade") == nil && near(run, full), "\(run.last(light) ?? -1)")
    try run.frames(60)
    #expect(near(run, full))
    #expect(run.end() == 0)
  }

  @Test func `a setting that no scene has any more returns to the file's value, though it was fading`() throws
  {
    let run = try start()
    try run.send("/visgraph/scene", .string("low"), .float(4))
    try run.frames(60)
    #expect(near(run, full - 3.75 / 60))
    let plain = text.split(separator: "\n", omittingEmptySubsequences: false).filter {
      !$0.contains("main:") && !$0.contains("scenes:") && !$0.hasPrefix("  full:") && !$0.hasPrefix("  low:")
        && !$0.hasPrefix("  dark:")
    }.joined(separator: "\n")
    _ = try folder.write(plain, to: "graph.yaml")
    try run.send("/visgraph/graph/reload")
    try run.frames(5)
    #expect(run.says("reloaded") && near(run, full), "\(run.notes)")
    #expect(run.status("fade") == nil)
    #expect(run.end() == 0)
  }

  @Test func `an event goes to a scene`() throws {
    _ = try folder.write(
      text.replacing("main: full", with: "main: low")
        .replacing("kick: {", with: "drop: { type: scene-change, to: full }\n  kick: {")
        .replacing("ticks.peak -> kick]", with: "ticks.peak -> kick, kick.events -> drop]"), to: "graph.yaml")
    let run = try SteppedRun(graph)
    // Two impulses a second; one at the beginning may be none.
    let frames = try #require(try run.frames(atMost: 45) { scene(run) == .string("full") })
    try run.frames(5)
    #expect(frames > 0 && near(run, full), "\(run.notes)")
    #expect(run.end() == 0)
  }
}
