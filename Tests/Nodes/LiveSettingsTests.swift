import CGuard
import CRealtime
import Engine
import Graphs
import Particles
import Synchronization
import TestSupport
import Testing

@testable import Nodes

/// Settings that change live in their slot, compared with a plan of the changed graph.
@Suite(.waiting) struct LiveSettingsTests {
  /// A node between a source and a meter, one of its settings, and two values of the setting.
  struct Case: Sendable, CustomTestStringConvertible {
    let type: String
    let settings: String
    let path: String
    let values: [String]
    var testDescription: String { "\(type): \(path)" }

    func graph(_ value: String? = nil) -> String {
      let name = path.split(separator: ".").last.map(String.init) ?? ""
      let own = value.map {
        ", \(path.contains("each") ? "each: { 2: { \(name): \($0) } }" : "\(name): \($0)")"
      }
      let node = "{ type: \(type)\(settings)\(own ?? "") }"
      let source =
        type == "tone-source"
        ? "x: \(node)" : "tone: { type: tone-source, channels: 2, level: -6 dB }, x: \(node)"
      switch type {
      case "tone-source":
        return
          "nodes: { \(source), meter: { type: meter }, out: { type: jack-output } }\nwires: [x -> out, x -> meter]"
      case "gain", "filter":
        return """
          nodes: { \(source), meter: { type: meter }, out: { type: jack-output } }
          wires: [tone -> x -> out, x -> meter]
          """
      case "meter":
        return "nodes: { \(source), out: { type: jack-output } }\nwires: [tone -> x, tone -> out]"
      default:
        return """
          nodes: { \(source), meter: { type: meter }, table: { type: meter-table }, out: { type: jack-output } }
          wires: [tone -> out, tone -> meter -> table, \(type == "gate" ? "meter" : "table") -> x]
          """
      }
    }
  }

  static let cases = [
    Case(type: "gain", settings: "", path: "x.gain", values: ["-12", "3 dB"]),
    Case(type: "gain", settings: "", path: "x.mute", values: ["true", "false"]),
    Case(type: "gain", settings: "", path: "x.each.2.gain", values: ["-20", "-3"]),
    Case(type: "filter", settings: ", pass: low", path: "x.frequency", values: ["300", "4 kHz"]),
    Case(type: "tone-source", settings: ", channels: 2", path: "x.level", values: ["-20", "-1 dB"]),
    Case(type: "meter", settings: "", path: "x.release", values: ["0.5", "20 ms"]),
    Case(type: "gate", settings: "", path: "x.open", values: ["-30", "-3"]),
    Case(type: "range", settings: "", path: "x.to", values: ["[0.2, 0.5]", "[0, 1]"]),
  ]

  @Test(arguments: cases, [16, 64, 256, 1024])
  func `a setting changed live gives the bytes that a plan of the changed graph gives`(
    _ example: Case, cycle: Int
  ) throws {
    let (slots, plans) = (try GraphRig(example.graph()), try GraphRig(example.graph()))
    var running: Set<Int> = []
    for value in example.values {
      let lengths = [4096, 1024]
      for length in lengths {
        let recorded = try slots.play(length, cycle: cycle, outputs: ["out_1", "out_2"])
        #expect(try plans.play(length, cycle: cycle, outputs: ["out_1", "out_2"]) == recorded)
      }
      running.insert(slots.frames.count)
      #expect(try slots.set(example.path, to: value), "\(value)")
      try plans.load(example.graph(value))
      // The graph states the new value, as after a reload.
      #expect(slots.plan.graph.nodes.map(\.settingsTexts) == plans.plan.graph.nodes.map(\.settingsTexts))
    }
    #expect(
      try slots.play(8192, cycle: cycle, outputs: ["out_1", "out_2"])
        == plans.play(8192, cycle: cycle, outputs: ["out_1", "out_2"]))
    // A frame is reported when it is finished. A slot acts on the frame that runs, and a plan on the one after it.
    for (number, (slot, plan)) in zip(slots.frames, plans.frames).enumerated() where !running.contains(number)
    {
      #expect(slot.levels == plan.levels, "frame \(number + 1)")
    }
  }

  @Test func `of several values in one frame the newest counts, and no other setting changes`() throws {
    let text = """
      nodes:
        tone: { type: tone-source, channels: 4, level: -6 dB }
        gain: { type: gain }
        out: { type: jack-output }
      wires: [tone -> gain -> out]
      """
    let rig = try GraphRig(text)
    _ = try rig.play(1600, outputs: ["out_1"])
    for step in 0..<10_000 { #expect(try rig.set("gain.gain", to: "\(Double(step % 600) / -10)")) }
    let recorded = try rig.play(4800, outputs: ["out_1"])[0]
    let expected = try GraphRig(text)
    _ = try expected.play(1600, outputs: ["out_1"])
    #expect(try expected.set("gain.gain", to: "\(Double(9_999 % 600) / -10)"))
    #expect(try expected.play(4800, outputs: ["out_1"])[0] == recorded)
    #expect(rig.plan.ports.count == 4)
  }

  @Test func `taking a setting allocates nothing, locks nothing and changes no reference count`() throws {
    let rig = try GraphRig(Self.cases[0].graph())
    let buffers = (0..<2).map { _ in UnsafeMutablePointer<Float>.allocate(capacity: 256) }
    defer { for buffer in buffers { buffer.deallocate() } }
    for (port, buffer) in buffers.enumerated() { rig.ports[try rig.port("out_\(port + 1)")] = buffer }
    for step in 0..<100 {
      #expect(try rig.set("x.gain", to: "\(-step)"))
      rig.process(256) { engine, ports, offset, count in
        let (done, counts) = EngineRig.guardedAdvance(engine, ports, offset, count)
        #expect(counts.isClean, "\(counts)")
        return done
      }
    }
  }

  @Test(arguments: [
    ("gain.delay", "3", "a rebuild"), ("gain.gain", "1000", "out of range"),
    ("gain.gain", "loud", "no number"),
    ("gain.nothing", "1", "no setting"), ("nobody.gain", "1", "no node"),
    ("gain.each.3.gain", "1", "no channel"),
    ("first.gain", "1", "others are like it"), ("out.connect", "auto", "other ports"),
  ])
  func `a setting that its declaration alone cannot check is left to the checker`(
    _ path: String, _ value: String, _ why: String
  ) throws {
    let rig = try GraphRig(
      """
      nodes:
        tone: { type: tone-source, channels: 2 }
        gain: { type: gain }
        first: { type: gain }
        second: { like: first }
        out: { type: jack-output }
      wires: [tone -> gain -> first -> second -> out]
      """)
    let before = rig.plan.graph.nodes.map(\.settingsTexts)
    #expect(try !rig.set(path, to: value), "\(why)")
    #expect(rig.plan.graph.nodes.map(\.settingsTexts) == before)
  }

  @Test func `a channel that states a setting keeps it when the setting of all channels changes`() throws {
    let text = { (gain: String) in
      """
      nodes:
        tone: { type: tone-source, channels: 2, level: -6 dB }
        gain: { type: gain, gain: \(gain), each: { 2: { gain: -3 } } }
        out: { type: jack-output }
      wires: [tone -> gain -> out]
      """
    }
    let rig = try GraphRig(text("0"))
    #expect(try rig.set("gain.gain", to: "-9"))
    #expect(try rig.set("gain.mute", to: "false"))
    let read = try GraphRig.graph(text("-9"))
    #expect(rig.plan.graph.nodes[1].settingsTexts == read.nodes[1].settingsTexts)
    let gains = try #require(rig.plan.graph.nodes[1].settings(of: Gain.self))
    #expect([gains[0].gain, gains[1].gain] == [-9, -3])
  }

  static let withinOthers = [
    ("cells.spark.birthRate", "12"), ("cells.spark.cells.glow.x.scale", "0.25"),
    ("cells.spark.color", "\"#FF8000\""), ("cells.spark.enabled", "false"), ("drive.1.curve", "2"),
    ("palette", "[red, blue]"), ("position.x", "30 %"), ("size.width", "20"),
    ("cells.spark.contentsRect.width", "0.5"),
  ]

  @Test(arguments: withinOthers)
  func `a nested setting is set by its own declaration`(_ path: String, _ value: String) throws {
    let text = """
      cells: { spark: { birthRate: 80, cells: { glow.x: { birthRate: 60 } } } }
      drive: [{ key: cells.spark.scale, to: [0, 1] }]
      """
    let graph = try #require(checkEmitter(text).graph)
    let override = Override(target: "sparks.\(path)", value: value)
    let source = SourceText(path: "graph.yaml", text: emitterGraph(text))
    let checked = Checker(emitterCatalog).check(source, overrides: [override])
    let read = try #require(checked.graph)
    let set = try #require(graph.setting(override))
    #expect(set.graph.nodes[set.node].settingsTexts == read.nodes[set.node].settingsTexts)
    #expect(set.graph.nodes[set.node].settingsTexts != graph.nodes[set.node].settingsTexts)
    // The particles are those of a plan of the changed graph.
    let (slots, plans) = (try EmitterRig(checkEmitter(text)), try EmitterRig(checked))
    #expect(slots.plan.set([set.node], as: set.graph) == [set.node])
    for _ in 0..<30 {
      for rig in [slots, plans] {
        rig.frame([1, 0.5])
        rig.plan.scene[0].advance()
      }
    }
    let prints = [slots, plans].map { $0.plan.emitters[0].withSystems { $0.map(\.fingerprint) } }
    #expect(prints[0] == prints[1])
  }

  @Test(arguments: [
    ("cells.spark", "{ birthRate: 1 }"), ("cells.none.scale", "1"), ("cells.spark.contents", "none"),
    ("cells.spark.birthRate", "-1"), ("cells.spark.nothing", "1"), ("drive.2.idle", "0"), ("cells", "{}"),
  ])
  func `a nested setting on which others depend, a file, or a wrong value is left to the checker`(
    _ path: String, _ value: String
  ) throws {
    let text = "cells: { spark: { birthRate: 80 } }\ndrive: [{ key: cells.spark.scale, to: [0, 1] }]"
    let graph = try #require(checkEmitter(text).graph)
    #expect(graph.setting(Override(target: "sparks.\(path)", value: value)) == nil)
  }

  @Test(arguments: [("gain", "-6"), ("sounds.a.gain", "-12 dB")])
  func `a live setting of a sound bank sounds like a plan of its own, and its reports are not repeated`(
    _ path: String, _ value: String
  ) throws {
    let folder = try TemporaryFolder()
    writeSound(folder.file("a.wav"), rate: 48_000, channels: [steady(0.25, 9000)])
    let (slots, plans) = (
      // A sound written as a path alone has settings, too.
      try BankRig("sounds: { a: a.wav }", folder: folder),
      try BankRig("sounds: { a: { path: a.wav } }", folder: folder)
    )
    for rig in [slots, plans] { try rig.bank.play("a") }
    #expect(try slots.play(1600) == plans.play(1600))
    #expect(try slots.rig.set("bank.\(path)", to: value))
    let changed =
      path == "gain"
      ? "sounds: { a: { path: a.wav } }, gain: \(value)"
      : "sounds: { a: { path: a.wav, gain: \(value) } }"
    try plans.rig.load(BankRig.text(changed))
    let texts = [slots, plans].map { $0.rig.plan.graph.nodes.map(\.settingsTexts) }
    #expect(texts[0] == texts[1])
    for rig in [slots, plans] { try rig.bank.play("a") }
    #expect(try slots.play(4000) == plans.play(4000))
  }

  @Test func `reports of a sound bank are not repeated when its settings change`() throws {
    let folder = try TemporaryFolder()
    writeSound(folder.file("a.wav"), rate: 48_000, channels: [steady(0.25, 9000)])
    let rig = try BankRig("sounds: { a: a.wav }", folder: folder)
    for _ in 0..<3000 { try rig.bank.play("a") }
    #expect(try rig.bank.takeMessages().count == 1)
    #expect(try rig.rig.set("bank.gain", to: "-6"))
    #expect(try rig.bank.takeMessages().isEmpty)
    _ = try rig.play(1600)
    try rig.rig.load(BankRig.text("sounds: { a: a.wav }, gain: -3"))
    #expect(try rig.bank.takeMessages().isEmpty)
  }

  @Test func `settings changed while another thread runs the graph and a third reads its report do no harm`()
    throws
  {
    let rig = try GraphRig(
      """
      nodes:
        tone: { type: tone-source, channels: 2, level: -6 dB }
        gain: { type: gain }
        meter: { type: meter }
        rig: { type: osc-output, to: "127.0.0.1:9", address: "/l/{channel}" }
      wires: [tone -> gain -> meter -> rig]
      """)
    let (plan, isOver) = (rig.plan, Flag())
    let setting = TestThread {
      for step in 0..<2000 {
        let graph = plan.graph
        for (path, value) in [
          ("gain.gain", "\(-0.01 * Double(step))"), ("meter.release", "\(0.001 * Double(step % 99))"),
        ] {
          guard let new = graph.setting(Override(target: path, value: value)) else { continue }
          #expect(plan.set([new.node], as: new.graph) == [new.node])
        }
      }
      isOver.set()
    }
    let reader = TestThread {
      while !isOver.isSet { #expect(plan.frames.report.count == 1) }
    }
    while !isOver.isSet { rig.process(64) }
    #expect(poll(within: 60) { setting.isDone && reader.isDone })
    rig.process(1600)
    #expect(plan.graph.nodes[1].settings(of: Gain.self)?.all.gain == -0.01 * 1999)
  }
}

/// Set once, by one thread. [any]
private final class Flag: Sendable {
  private let value = Atomic<Bool>(false)
  var isSet: Bool { value.load(ordering: .acquiring) }
  func set() { value.store(true, ordering: .releasing) }
}
