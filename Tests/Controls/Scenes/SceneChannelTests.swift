import Graphs
import Nodes
import System
import Testing

@testable import Controls

/// Scenes, settings of single channels, and settings made by hand.
@Suite struct SceneChannelTests {
  private static let text = """
    visgraph: 1
    main: calm
    scenes:
      calm: { gain.gain: -20 }
      verse: { gain.each.2.gain: -6 dB }
      night: { off: [gain] }
      late: { like: verse, off: [gain] }
    nodes:
      tone: { type: tone-source, channels: 2 }
      gain: { type: gain }
      out: { type: jack-output }
    wires: [tone -> gain -> out]
    """

  /// The gains of all channels, and of the first and second.
  private func gains(_ rig: SceneRig) -> [Double?] {
    ["gain.gain", "gain.each.1.gain", "gain.each.2.gain"].map { rig.graph.number(at: $0)?.value }
  }

  @Test func `a node that is off is off on every channel, also on one with its own setting`() throws {
    let rig = try SceneRig(Self.text)
    #expect(gains(rig) == [-20, -20, -20])
    for _ in 0..<2 {
      try rig.enter(.named("verse"), 0)
      #expect(gains(rig) == [0, 0, -6])
      for scene in ["night", "late"] {
        try rig.enter(.named(scene), 0)
        #expect(gains(rig) == [-160, -160, -160], "\(scene)")
      }
      try rig.enter(.named("calm"), 0)
      #expect(gains(rig) == [-20, -20, -20])
    }
    #expect(rig.newPlans == 0 && rig.refusals.withLock { $0 } == [])
  }

  @Test func `a channel set by hand goes off with its node, and is like the others in the next scene`()
    throws
  {
    let rig = try SceneRig(Self.text)
    rig.set("gain.each.1.gain", "-3")
    #expect(gains(rig) == [-20, -3, -20])
    try rig.enter(.named("night"), 0)
    #expect(gains(rig) == [-160, -160, -160])
    try rig.enter(.named("verse"), 0)
    #expect(gains(rig) == [0, 0, -6])
    try rig.enter(.named("calm"), 0)
    #expect(gains(rig) == [-20, -20, -20])
  }

  @Test
  func `a reload during a crossfade goes on with all settings that were not set by hand since it began`()
    throws
  {
    let rig = try SceneRig()
    try rig.enter(.named("storm"), 60)
    for _ in 0..<60 { try rig.next() }
    rig.set("gain.gain", "-30")
    for _ in 0..<60 { try rig.next() }
    var read = rig.overrides
    let (checked, lost) = read.read(in: "storm", moving: rig.fades.isMoving) {
      Checker(.full).check(SourceText(path: "/nowhere/graph.yaml", text: SceneRig.text), overrides: $0)
    }
    let graph = try #require(checked.graph)
    let scene = try #require(graph.scene(.named("storm"), from: nil))
    #expect(lost == [] && graph.text(at: "gain.gain") == "-30 dB")
    let births = try #require(graph.number(at: "sparks.cells.spark.birthRate")?.value)
    #expect(abs(births - (5 + 45.0 / 30)) < 1e-9)
    let led = read.lead(to: scene, seconds: 58, in: graph, rig.fades) { _ in }.compactMap(
      \.command.settingPath)
    #expect(led.contains("sparks.cells.spark.birthRate") && !led.contains("gain.gain"))
    // A scene that is entered anew also sets what was set by hand.
    let all = read.enter(scene, seconds: 58, in: graph, rig.fades) { _ in }.compactMap(\.command.settingPath)
    #expect(all.contains("gain.gain"))
  }

  @Test func `a list entry that only a scene has stays after a reload`() throws {
    let source = SourceText(path: "/nowhere/graph.yaml", text: SceneRig.text)
    var overrides = SettingOverrides(Checker(.full), source, given: [])
    overrides.restore([Override(target: "sparks.palette.1", value: "lime")])
    let (checked, lost) = overrides.read(in: "storm") { Checker(.full).check(source, overrides: $0) }
    #expect(lost == [])
    #expect(checked.graph?.text(at: "sparks.palette") == "[\"#00FF00\", \"#FFFFFF\"]")
    #expect(overrides.live.map(\.target) == ["sparks.palette.1"])
  }

  @Test func `an event does not go to a scene that does not exist, neither by settings nor by fades`() throws
  {
    let text = SceneRig.text.replacing(
      "  meter: {",
      with: "  kick: { type: trigger }\n  drop: { type: scene-change, to: storm }\n  meter: {"
    ).replacing("level -> sparks]", with: "level -> sparks, meter -> kick, kick.events -> drop]")
    let source = SourceText(path: "/nowhere/graph.yaml", text: text)
    let graph = try #require(Checker(.full).check(source, overrides: []).graph)
    #expect(graph.setting(Override(target: "drop.to", value: "calm")) != nil)
    #expect(graph.setting(Override(target: "drop.to", value: "next")) != nil)
    #expect(graph.setting(Override(target: "drop.to", value: "nix")) == nil)
    let checked = Checker(.full).check(source, overrides: [Override(target: "drop.to", value: "nix")])
    #expect(checked.faults.map(\.code) == ["unknown-scene"])
    #expect(checked.faults.first?.mark?.option == "--set drop.to")
  }

  @Test func `the scene's settings are saved into the scene, and all others into their nodes`() throws {
    let rig = try SceneRig()
    try rig.enter(.named("storm"), 0)
    rig.set("gain.gain", "-9 dB")
    rig.set("rig.repeat", "2")
    let result = rig.overrides.written()
    #expect(result.left == [] && result.written == ["gain.gain", "rig.repeat"])
    let text = SceneRig.text
      .replacing("storm: { seconds: 1, gain.gain: -18 dB", with: "storm: { seconds: 1, gain.gain: -9 dB")
      .replacing("repeat: 0 }", with: "repeat: 2 }")
    #expect(String(decoding: result.source.bytes, as: UTF8.self) == text)
    // A scene that does not have the setting yet gets it.
    try rig.enter(.named("calm"), 0)
    rig.set("sparks.cells.spark.birthRate", "8")
    let added = String(decoding: rig.overrides.written().source.bytes, as: UTF8.self)
    #expect(added.contains("rig.rate: 20, sparks.cells.spark.birthRate: 8 /s }"))
    #expect(added.contains("cells: { spark: { birthRate: 5 } }"))
  }
}
