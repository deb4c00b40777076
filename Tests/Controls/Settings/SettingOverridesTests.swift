import Engine
import Graphs
import Hosts
import Nodes
import System
import Testing

@testable import Controls

@Suite struct SettingOverridesTests {
  private final class Refusals: @unchecked Sendable { var all: [String] = [] }

  /// Carries out commands at once. Returns the graph that ran last, and the refusals.
  private func carryOut(
    _ commands: [ShowCommand], _ made: inout SettingOverrides, _ refusals: Refusals = Refusals(),
    cannotRun: Bool = false
  ) throws -> CheckedGraph? {
    var ran: CheckedGraph?
    let changes = commands.map { command in
      GraphChange(command: command) { refusals.all.append("\($0.code): \($0)") }
    }
    let graph = try #require(try ControlFixture.checked().graph)
    made.carryOut(changes, in: graph) { graph throws(ControlError) in
      if cannotRun { throw .graph(code: "cannot-run", "no", notes: []) }
      ran = graph
    }
    return ran
  }

  @Test func `live settings are passed on node by node, and no others`() throws {
    var made = try made()
    let graph = try #require(try ControlFixture.checked().graph)
    var passedOn: [SettingOverrides.NodeChange] = []
    var refused = GraphChange(command: .set(path: "gain.gain", value: "61")) { _ in }
    refused.earlier = [.set(path: "gain.gain", value: "-3")]
    let changes =
      [refused]
      + [("meter.hold", "2 s"), ("gain.each.2.gain", "-9"), ("meter.release", "1 s")].map { path, value in
        GraphChange(command: .set(path: path, value: .written(value))) { _ in }
      }
    let done = made.carryOut(
      changes, in: graph,
      set: { nodes, _ in
        passedOn += nodes
        return Set(nodes.map(\.node))
      }
    ) { _ throws(ControlError) in }
    // The settings of `gain` need a new plan: the last requested value is wrong, and the settings after it wait for the
    // plan.
    #expect(passedOn.map { graph.nodes[$0.node].id } == ["meter"])
    #expect(
      passedOn.flatMap(\.settings).map { "\($0.target) \($0.value.text)" } == [
        "meter.hold 2 s", "meter.release 1 s",
      ])
    #expect(done == ["meter.hold", "meter.release", "gain.gain", "gain.each.2.gain"])
    #expect(made.overrides.first { $0.target == "gain.gain" }?.value == "-3")
  }

  private func made(given: [Override] = []) throws -> SettingOverrides {
    SettingOverrides(Checker(.full), try ControlFixture.checked().source, given: given)
  }

  private func text(_ graph: CheckedGraph?, _ node: String, _ field: String, channel: Int? = nil) -> String? {
    graph?.nodes.first { $0.id == node }?.settingsTexts.first { $0.field == field && $0.channel == channel }?
      .text
  }

  @Test func `settings that come together take effect together, and stay`() throws {
    var made = try made(given: [Override(target: "meter.hold", value: "3 s")])
    let first = try carryOut(
      [.set(path: "gain.gain", value: "-6"), .set(path: "gain.each.2.gain", value: "-12")], &made)
    #expect(text(first, "gain", "gain") == "-6 dB")
    #expect(text(first, "gain", "gain", channel: 1) == "-12 dB")
    #expect(text(first, "gain", "gain", channel: 0) == nil)
    #expect(text(first, "meter", "hold") == "3 s")
    let second = try carryOut([.fader(path: "meter.hold", 0.5)], &made)
    #expect(text(second, "gain", "gain") == "-6 dB")
    #expect(text(second, "meter", "hold") == "0.245 s")
    #expect(made.overrides.map(\.target) == ["meter.hold", "gain.gain", "gain.each.2.gain", "meter.hold"])
    made.load(try ControlFixture.checked().source)
    #expect(made.overrides.isEmpty)
  }

  @Test(arguments: [
    ("gain.gain", Float(0), "-160 dB"), ("gain.gain", 1, "6 dB"), ("gain.gain", 0.75, "0 dB"),
    ("gain.mute", 0.49, "false"), ("gain.mute", 0.5, "true"), ("meter.hold", 0, "0 s"),
    ("meter.hold", 1, "60 s"),
    ("meter.reference", 0, "sine"), ("meter.reference", 1, "rms"),
  ])
  func `a fader covers the whole range`(path: String, place: Float, value: String) throws {
    var made = try made()
    let graph = try carryOut([.fader(path: path, place)], &made)
    let parts = path.split(separator: ".").map(String.init)
    #expect(text(graph, parts[0], parts[1]) == value)
  }

  @Test func `a faulty setting is refused with the sentence of the check, and the others take effect`() throws
  {
    var made = try made()
    let refusals = Refusals()
    let graph = try carryOut(
      [
        .set(path: "gain.gain", value: "loud"), .set(path: "meter.hold", value: "2"),
        .set(path: "gain.each.2.gain", value: "61"), .fader(path: "none.x", 1),
      ], &made, refusals)
    #expect(text(graph, "meter", "hold") == "2 s")
    #expect(made.overrides.map(\.target) == ["meter.hold"])
    #expect(
      refusals.all == [
        "unknown-node: there is no node none; the graph has: tone, gain, meter, level, rig, sparks",
        "wrong-value: gain.gain is \"loud\"; it takes a number -160…60 dB (or -inf dB or off: silence)",
        "out-of-range: gain.2.gain is 61; it takes a number -160…60 dB (or -inf dB or off: silence)",
      ])
  }

  @Test func `a wrong value does not replace the right one that waited before it`() throws {
    let router = CommandRouter(show: Show()) {}
    let refusals = Refusals()
    for value in ["-6", "-12", "loud", "61"] {
      router.perform(.set(path: "gain.gain", value: .written(value))) { refusals.all.append($0.code) }
    }
    var made = try made()
    var ran: CheckedGraph?
    made.carryOut(router.takeChanges(), in: try #require(try ControlFixture.checked().graph)) {
      graph throws(ControlError) in ran = graph
    }
    #expect(text(ran, "gain", "gain") == "-12 dB")
    #expect(refusals.all == ["out-of-range"])
  }

  @Test func `one wrong value among many is refused, and the others are one change`() throws {
    var made = try made()
    let refusals = Refusals()
    var runs: [CheckedGraph] = []
    let channels = (1...200).map { "gain.each.\($0).gain" }
    let text = ControlFixture.text.replacing(
      "type: jack-input, names: [Kick, Snare]", with: "type: jack-input, channels: 200")
    let source = try ControlFixture.checked(text)
    made.load(source.source)
    let changes = channels.enumerated().map { index, path in
      GraphChange(command: .set(path: path, value: [8: "1000", 99: "loud"][index] ?? "-6")) {
        refusals.all.append("\($0)")
      }
    }
    let graph = try #require(source.graph)
    let set = made.carryOut(changes, in: graph) { graph throws(ControlError) in runs.append(graph) }
    #expect(runs.count == 1)
    #expect(set == Set(channels).subtracting([channels[8], channels[99]]))
    #expect(self.text(runs.last, "gain", "gain", channel: 199) == "-6 dB")
    #expect(self.text(runs.last, "gain", "gain", channel: 8) == nil)
    #expect(
      refusals.all == [
        "gain.9.gain is 1000; it takes a number -160…60 dB (or -inf dB or off: silence)",
        "gain.100.gain is \"loud\"; it takes a number -160…60 dB (or -inf dB or off: silence)",
      ])
  }

  @Test func `a fault that appears elsewhere is found, and settings that exclude each other are separated`()
    throws
  {
    // A third channel for the meter is a fault of the wires, not of its setting; each of the two ends of a section is
    // valid by itself.
    let text = """
      visgraph: 1
      nodes: { tone: { type: tone-source, channels: 2 }, meter: { type: meter }, out: { type: jack-output } }
      wires: ["tone[2] -> meter", tone -> out]
      """
    let source = try ControlFixture.checked(text)
    var made = SettingOverrides(Checker(.full), source.source, given: [])
    let refusals = Refusals()
    var runs = 0
    let commands: [ShowCommand] = [
      .set(path: "tone.level", value: "-6"), .set(path: "tone.channels", value: "1"),
      .set(path: "meter.hold", value: "1"),
    ]
    let set = made.carryOut(
      commands.map { command in GraphChange(command: command) { refusals.all.append($0.code) } },
      in: try #require(source.graph)
    ) { _ throws(ControlError) in runs += 1 }
    #expect(set == ["tone.level", "meter.hold"] && runs == 1)
    #expect(refusals.all == ["unknown-channel"])
  }

  @Test
  func
    `of settings that cannot run together the valid ones take effect, and none after an end was requested`()
    throws
  {
    let graph = try #require(try ControlFixture.checked().graph)
    let paths = ["gain.gain", "meter.hold", "gain.mute", "meter.release"]
    let values = ["-6", "1", "true", "2"]
    func carryOut(_ left: Int) throws -> (Set<String>, [String]) {
      var made = try made()
      let refusals = Refusals()
      var left = left
      let changes = zip(paths, values).map { path, value in
        GraphChange(command: .set(path: path, value: .written(value))) { _ in refusals.all.append(path) }
      }
      let set = made.carryOut(changes, in: graph, while: { left > 0 }) { graph throws(ControlError) in
        left -= 1
        let mute = graph.nodes.first { $0.id == "gain" }?.settingsTexts.first { $0.field == "mute" }?.text
        if mute == "true" { throw .graph(code: "cannot-run", "no", notes: []) }
      }
      #expect(set == Set(made.overrides.map(\.target)))
      return (set, refusals.all)
    }
    let all = try carryOut(100)
    #expect(all == (["gain.gain", "meter.hold", "meter.release"], ["gain.mute"]))
    #expect(try carryOut(2) == (["gain.gain", "meter.hold"], []))
    #expect(try carryOut(0) == ([], []))
  }

  @Test func `a graph that cannot run leaves no setting`() throws {
    var made = try made()
    let refusals = Refusals()
    #expect(try carryOut([.set(path: "gain.gain", value: "1")], &made, refusals, cannotRun: true) == nil)
    #expect(made.overrides.isEmpty)
    #expect(refusals.all == ["cannot-run: no"])
  }

  @Test func `a setting that a changed file no longer accepts is dropped`() throws {
    var made = try made()
    _ = try carryOut([.set(path: "gain.gain", value: "1"), .set(path: "meter.hold", value: "1")], &made)
    let new = """
      visgraph: 1
      nodes: { tone: { type: tone-source }, meter: { type: meter } }
      wires: [tone -> meter]
      """
    let faulty = Checker(.full).check(SourceText(path: "g.yaml", text: new), overrides: made.overrides)
    #expect(faulty.graph == nil)
    #expect(made.forget(faulty: faulty) == ["gain.gain"])
    #expect(made.overrides.map(\.target) == ["meter.hold"])
  }

  /// Settings, right and wrong, whole values and nested ones, of all channels and of one.
  private static let settings: [(path: String, values: [String])] = [
    ("gain.gain", ["-6", "3 dB", "1000", "loud"]), ("gain.mute", ["true", "false"]),
    ("gain.delay", ["2", "3"]),
    ("gain.each.1.gain", ["-3", "-9 dB"]), ("gain.each.2.mute", ["true"]), ("gain.each.9.gain", ["1"]),
    ("lift.to", ["[0, 1]", "[0.25, 0.5]", "[0]"]), ("lift.to.1", ["0.125"]), ("lift.to.2", ["0.75", "2"]),
    ("lift.each.1.to", ["[0.5, 0.5]"]), ("lift.each.2.to.1", ["0.25"]), ("lift.curve", ["2", "0.5"]),
    ("gate.open", ["-30", "-60"]), ("gate.close", ["-40", "-20", "-70"]), ("first.gain", ["-1", "-2"]),
    ("second.gain", ["-4"]), ("meter.release", ["0.5", "20 ms"]), ("nobody.gain", ["1"]),
  ]

  @Test func `the running graph is that of the file with all settings, in whatever order they were made`()
    throws
  {
    let checker = Checker(.full)
    let source = SourceText(
      path: "graph.yaml",
      text: """
        visgraph: 1
        nodes:
          tone: { type: tone-source, channels: 2 }
          gain: { type: gain, each: { 2: { gain: -2 } } }
          first: { type: gain }
          second: { like: first }
          meter: { type: meter }
          table: { type: meter-table }
          gate: { type: gate }
          lift: { type: range }
          out: { type: jack-output }
        wires: [tone -> gain -> first -> second -> out, second -> meter -> table -> lift, meter -> gate]
        """)
    var random = RandomStream(seed: 7)
    var (live, checked, kept) = (0, 0, 0)
    for _ in 0..<12 {
      var made = SettingOverrides(checker, source, given: [])
      var running = try #require(checker.check(source).graph)
      for _ in 0..<25 {
        var batch: [GraphChange] = []
        for _ in 0..<(1 + Int(random.next() % 4)) {
          let setting = Self.settings[Int(random.next() % UInt64(Self.settings.count))]
          let value = setting.values[Int(random.next() % UInt64(setting.values.count))]
          batch.append(GraphChange(command: .set(path: setting.path, value: .written(value))) { _ in })
        }
        made.carryOut(
          batch, in: running,
          set: { nodes, graph in
            // Some nodes have none.
            let can = Set(nodes.map(\.node).filter { graph.nodes[$0].id != "gate" })
            for node in can { running.nodes[node] = graph.nodes[node] }
            live += can.count
            return can
          }
        ) { graph throws(ControlError) in
          running = graph
          checked += 1
        }
        let read = try #require(checker.check(source, overrides: made.overrides).graph)
        for (node, expected) in zip(running.nodes, read.nodes) {
          #expect(node.settingsTexts == expected.settingsTexts, "\(node.id): \(made.overrides)")
        }
        kept = max(kept, made.overrides.count)
      }
    }
    #expect(live > 100 && checked > 50 && kept > 5, "\(live), \(checked), \(kept)")
  }
}
