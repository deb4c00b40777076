import Engine
import Graphs
import OSC
import TestSupport
import Testing

@testable import Controls

/// A jump to a cue restores the look that the cues before it lead to.
@Suite struct CueLookTests {
  private static let text = """
    visgraph: 1
    main: calm
    scenes:
      calm: { gain.gain: -6 dB, range.to: [0, 1] }
      storm: { gain.gain: -18 dB, range.to: [0, 0.5] }
    cues:
      1: { scene: storm }
      2: { do: [/visgraph/node/gain/gain -12, /visgraph/node/house/value 0.25] }
      3: { do: [/visgraph/master 0.5, /visgraph/blackout 1, /visgraph/node/house/2/value 0.75] }
      4: { scene: calm, do: /visgraph/blackout 0 }
      5: { do: /visgraph/fader/pan/pan 1 }
    nodes:
      tone: { type: tone-source }
      gain: { type: gain, mute: false }
      pan: { type: gain, gain: -1 dB }
      out: { type: jack-output }
      meter: { type: meter }
      range: { type: range, from: [-60, 0], to: [0, 1] }
      house: { type: constant, channels: 2, value: 0.5 }
      rig: { type: osc-output, to: "127.0.0.1:9" }
    wires: [tone -> gain -> pan -> out, gain -> meter -> range, house -> rig]
    """
    .replacing("/visgraph/fader/pan/pan 1", with: "/visgraph/fader/pan/gain 1")
  private static let paths = [
    "gain.gain", "range.to", "house.value", "house.each.2.value", "pan.gain", "gain.mute",
  ]

  /// A show that goes to cues, and its settings.
  private final class CueRig {
    let show = Show()
    let router: CommandRouter
    var overrides: SettingOverrides
    var refusals: [String] = []

    init(_ text: String, given: [Override] = []) throws {
      let source = SourceText(path: "/nowhere/graph.yaml", text: text)
      let checked = Checker.complete.check(source, overrides: given)
      let graph = try #require(checked.graph, "\(DiagnosticText.text(checked))")
      overrides = SettingOverrides(Checker.complete, source, given: given)
      overrides.take([], of: graph.main)
      router = CommandRouter(show: show) {}
      try show.open(
        graph, StreamConfiguration(sampleRate: 48_000, isRealTime: false, packets: .nowhere), host: nil)
      router.scenes.begin(graph.main)
      router.cues.restore(at: nil, follows: false, in: graph)
    }

    deinit { show.close() }

    var graph: CheckedGraph { get throws { try #require(show.plan).graph } }

    func go(_ choice: CueChoice) throws {
      let change = GraphChange(command: .cue(choice)) { Issue.record("\($0)") }
      let steps = overrides.steps(of: change, in: try graph, router, show, AllowedFolders([]))
      try set(steps.settings)
      for command in steps.commands { router.perform(command) }
      show.frames.dim()
    }

    func set(_ changes: [GraphChange]) throws {
      let done = overrides.carryOut(changes, in: try graph) { nodes, new in
        show.set(nodes.map(\.node), as: new, at: nil)
      } _: { (_: CheckedGraph) throws(ControlError) in
        throw .graph(code: "cannot-run", "no setting of this test needs another plan", notes: [])
      }
      #expect(done.count == Set(changes.compactMap(\.command.settingPath)).count, "\(changes.map(\.command))")
    }

    func set(_ path: String, _ value: String) throws {
      try set([GraphChange(command: .set(path: path, value: .written(value))) { Issue.record("\($0)") }])
    }

    func look(_ paths: [String]) throws -> [String] {
      let graph = try graph
      return paths.map { graph.text(at: $0) ?? "nothing" }
        + ["\(show.dimmer.master)", "\(show.dimmer.isBlackout)", overrides.scene ?? "no scene"]
    }
  }

  private func number(_ value: Int) throws -> CueChoice { .number(try #require(CueNumber("\(value)"))) }

  /// The look of a show after its first `count` cues in order.
  private func look(after count: Int, _ text: String = text, given: [Override] = []) throws -> [String] {
    let rig = try CueRig(text, given: given)
    for _ in 0..<count { try rig.go(.go) }
    return try rig.look(Self.paths)
  }

  @Test func `the settings that each cue adds are known`() throws {
    let look0 = try look(after: 0)
    #expect(look0 == ["-6 dB", "[0, 1]", "0.5", "0.5", "-1 dB", "false", "1.0", "false", "calm"])
    let look3 = try look(after: 3)
    #expect(look3 == ["-12 dB", "[0, 0.5]", "0.25", "0.75", "-1 dB", "false", "0.5", "true", "storm"])
    let look5 = try look(after: 5)
    #expect(look5 == ["-6 dB", "[0, 1]", "0.25", "0.75", "6 dB", "false", "0.5", "false", "calm"])
  }

  @Test func `a jump to a cue gives the look of all cues up to it, whatever came before`()
    throws
  {
    let looks = try (0...5).map { try look(after: $0) }
    for from in 0...5 {
      for to in 1...5 {
        let rig = try CueRig(Self.text)
        for _ in 0..<from { try rig.go(.go) }
        // A setting made by hand is the cue's again if any cue makes it, and stays if none does.
        try rig.set("house.value", "0.9")
        try rig.set("gain.mute", "true")
        try rig.go(try number(to))
        var expected = looks[to]
        expected[5] = "true"
        var found = try rig.look(Self.paths)
        #expect(found == expected, "from \(from) to \(to)")
        guard to > 1 else { continue }
        try rig.go(.back)
        expected = looks[to - 1]
        expected[5] = "true"
        found = try rig.look(Self.paths)
        #expect(found == expected, "from \(from) to \(to) and back")
        try rig.go(.go)
        found = try rig.look(Self.paths)
        #expect(found.prefix(5) == looks[to].prefix(5), "from \(from) to \(to), again")
      }
    }
  }

  @Test
  func `a setting that no cue up to there makes is as in the file and on the command line, and is not saved`()
    throws
  {
    let given = [Override(target: "house.value", value: "0.6")]
    let rig = try CueRig(Self.text, given: given)
    for _ in 0..<5 { try rig.go(.go) }
    #expect(rig.overrides.live.map(\.target).contains("house.value"))
    try rig.go(try number(1))
    #expect(try rig.graph.text(at: "house.value") == "0.6")
    #expect(try rig.graph.text(at: "house.each.2.value") == "0.6")
    #expect(rig.overrides.live.map(\.target) == [])
  }

  @Test func `a graph that starts in no scene is in none before the first cue that has one`() throws {
    let text = Self.text.replacing("main: calm\n", with: "").replacing("1: { scene: storm }", with: "1: {}")
    let rig = try CueRig(text)
    let first = try look(after: 1, text)
    for _ in 0..<4 { try rig.go(.go) }
    #expect(rig.overrides.scene == "calm" && rig.router.scenes.now?.name == "calm")
    try rig.go(try number(1))
    #expect(try rig.look(Self.paths) == first)
    #expect(first.last == "no scene" && rig.router.scenes.now == nil && rig.overrides.live.isEmpty)
  }

  @Test func `without tracking a cue makes its own settings only`() throws {
    let rig = try CueRig(Self.text.replacing("main: calm\n", with: "main: calm\ntracking: false\n"))
    for _ in 0..<5 { try rig.go(.go) }
    let before = try rig.look(Self.paths)
    try rig.go(try number(1))
    var after = before
    (after[0], after[1], after[8]) = ("-18 dB", "[0, 0.5]", "storm")
    #expect(try rig.look(Self.paths) == after)
  }

  @Test func `the look fades in the time of the scene, or in that of the cue`() throws {
    let text = Self.text.replacing("storm: {", with: "storm: { seconds: 4,")
      .replacing("2: { do: [", with: "2: { seconds: 3, do: [")
    let rig = try CueRig(text)
    func times(_ to: Int) throws -> [Double] {
      let change = GraphChange(command: .cue(try number(to))) { Issue.record("\($0)") }
      var overrides = rig.overrides
      let steps = overrides.steps(of: change, in: try rig.graph, rig.router, rig.show, AllowedFolders([]))
      return steps.settings.compactMap(\.command.fade?.seconds) + steps.commands.compactMap(\.fade?.seconds)
    }
    for _ in 0..<5 { try rig.go(.go) }
    // gain and range by the scene, three back to the file, and the master.
    let first = try times(1)
    #expect(first == [4, 4, 4, 4, 4, 4])
    let second = try times(2)
    #expect(second.filter { $0 == 3 }.count == 3 && second.filter { $0 == 0 }.count == 3, "\(second)")
  }
}
