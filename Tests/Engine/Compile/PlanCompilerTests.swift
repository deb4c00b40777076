import CRealtime
import Engine
import Graphs
import Realtime
import TestSupport
import Testing

/// Compiles graphs into plans: buffers, sums, ports.
@Suite struct PlanCompilerTests {
  private static func graph(_ text: String) throws -> CheckedGraph {
    let checked = Checker(planCatalogue).check(
      SourceText(path: "graph.yaml", text: "visgraph: 1\n\(text)"))
    return try #require(checked.graph, "\(DiagnosticText.text(checked))\n\(text)")
  }

  private static func compile(
    _ graph: CheckedGraph, ports: PortNumbers = PortNumbers(), before: CompiledPlan? = nil
  ) throws -> CompiledPlan {
    try PlanCompiler(
      graph, StreamConfiguration(sampleRate: 48_000, isRealTime: false, packets: .nowhere), ports: ports,
      before: before
    ).compile()
  }

  /// The samples at a plan's sinks over `count` samples in cycles of `cycle`, by the names of their ports.
  private static func sinkSamples(
    _ plan: CompiledPlan, count: Int, cycle: Int, plugs: [String: [Float]] = [:]
  ) -> [String: [Float]] {
    let rig = EngineRig()
    let room = UnsafeMutablePointer<Float>.allocate(capacity: max(1, plan.ports.count * count))
    room.initialize(repeating: .nan, count: max(1, plan.ports.count * count))
    defer { room.deallocate() }
    for (place, port) in plan.ports.enumerated() {
      if let samples = plugs[port.name] { (room + place * count).update(from: samples, count: count) }
    }
    rig.offer(plan.plan)
    var position = 0
    while position < count {
      for (place, port) in plan.ports.enumerated() {
        rig.ports[port.number] = room + place * count + position
      }
      let length = min(cycle, count - position)
      rig.process(length)
      position += length
    }
    var sinkSamples: [String: [Float]] = [:]
    for (place, port) in plan.ports.enumerated() where port.direction == .output {
      sinkSamples[port.name] = Array(UnsafeBufferPointer(start: room + place * count, count: count))
    }
    return sinkSamples
  }

  private static func isSame(_ a: [String: [Float]], _ b: [String: [Float]]) -> Bool {
    a.count == b.count
      && a.allSatisfy { name, samples in b[name]?.map(\.bitPattern) == samples.map(\.bitPattern) }
  }

  /// The number of buffers that a plan's ops use.
  private static func buffers(_ plan: CompiledPlan) -> Int {
    var used: Set<UInt32> = []
    let plan = plan.plan
    for i in 0..<plan.pointee.opCount {
      let op = plan.pointee.ops[i]
      let io = op.io.pointee
      for k in 0..<Int(io.inputCount) { used.insert(io.inputs[k]) }
      // A sink's outputs are ports of the host.
      guard unsafeBitCast(op.process, to: Int.self) != unsafeBitCast(SinkBlock.processing, to: Int.self)
      else {
        continue
      }
      for k in 0..<Int(io.outputCount) { used.insert(io.outputs[k]) }
    }
    return used.count
  }

  @Test func `a chain of a hundred nodes needs at most three buffers`() throws {
    var text = "nodes:\n  n: { type: numbers }\n  ear: { type: sink }\n"
    for i in 1...100 { text += "  w\(i): { type: warp, factor: 0.99 }\n" }
    text += "wires: [n" + (1...100).map { " -> w\($0)" }.joined() + " -> ear]\n"
    let graph = try Self.graph(text)
    let plan = try Self.compile(graph)
    #expect(Self.buffers(plan) <= 3)
    #expect(
      Self.isSame(
        Self.sinkSamples(plan, count: 900, cycle: 64), PlanModel(graph, from: 0, count: 900).sinkSamples))
  }

  @Test func `wires into one port are added in the order of the file`() throws {
    // Large and small numbers: rounding makes the order visible.
    let text = { (order: [Int]) in
      "nodes: { a: { type: numbers, seed: 1 }, b: { type: numbers, seed: 2 }, c: { type: numbers, seed: 3 }, ear: { type: sink } }\n"
        + "wires: [" + order.map { ["a", "b", "c"][$0] + " -> ear" }.joined(separator: ", ") + "]\n"
    }
    var sums: Set<[UInt32]> = []
    for order in [[0, 1, 2], [2, 1, 0], [0, 2, 1]] {
      let sinkSamples = Self.sinkSamples(
        try Self.compile(try Self.graph(text(order))), count: 500, cycle: 100)
      let expected = (0..<500).map { i in
        order.dropFirst().reduce(PlanMath.number(order[0] + 1, 0, i)) { $0 + PlanMath.number($1 + 1, 0, i) }
      }
      #expect(sinkSamples["ear_1"]?.map(\.bitPattern) == expected.map(\.bitPattern))
      sums.insert(expected.map(\.bitPattern))
    }
    #expect(sums.count == 3, "these numbers do not show the order")
  }

  @Test func `one channel feeds several, channels are selected, and outputs branch`() throws {
    let graph = try Self.graph(
      """
      nodes:
        mono: { type: numbers, seed: 5 }
        four: { type: numbers, channels: 4, seed: 6 }
        cross: { type: cross }
        left: { type: sink }
        right: { type: sink }
        both: { type: sink }
      wires: [four -> cross, mono -> cross.b, cross -> left, "cross[3-4] -> right", four -> both, mono -> both]
      """)
    let sinkSamples = Self.sinkSamples(try Self.compile(graph), count: 700, cycle: 33)
    #expect(sinkSamples.count == 10)
    for i in 0..<700 {
      let mono = PlanMath.number(5, 0, i)
      for channel in 0..<4 {
        let x = PlanMath.number(6, channel, i)
        #expect(sinkSamples["left_\(channel + 1)"]?[i] == PlanMath.cross(x, mono))
        #expect(sinkSamples["both_\(channel + 1)"]?[i] == x + mono)
        if channel >= 2 { #expect(sinkSamples["right_\(channel - 1)"]?[i] == PlanMath.cross(x, mono)) }
      }
    }
  }

  @Test func `the host's own buffers are passed on and never written`() throws {
    let graph = try Self.graph(
      """
      nodes: { in: { type: plug, channels: 2 }, w: { type: warp }, c: { type: cross }, ear: { type: sink }, too: { type: sink } }
      wires: [in -> w, in -> c, w.minus -> c.b, c -> ear, in -> ear, in -> too]
      """)
    let plug = (0..<600).map(Float.init)
    let plugs: [String: [Float]] = [
      "in_1": plug, "in_2": plug.map { (sample: Float) -> Float in -sample / 3 },
    ]
    for cycle in [1, 77, 600] {
      let sinkSamples = Self.sinkSamples(try Self.compile(graph), count: 600, cycle: cycle, plugs: plugs)
      #expect(Self.isSame(sinkSamples, PlanModel(graph, from: 0, count: 600, plugs: plugs).sinkSamples))
      #expect(sinkSamples["too_1"] == plugs["in_1"])
    }
  }

  @Test func `a port keeps its number from plan to plan, and a free number is reused`() throws {
    let ports = PortNumbers()
    let graph = { (nodes: String) in
      try Self.graph("nodes: { n: { type: numbers, channels: 2 }, \(nodes) }\nwires: [n -> a, n -> b]\n")
    }
    let first = try Self.compile(try graph("a: { type: sink }, b: { type: sink }"), ports: ports)
    #expect(first.ports.map(\.name) == ["a_1", "a_2", "b_1", "b_2"])
    #expect(first.ports.map(\.number) == [0, 1, 2, 3])
    #expect(first.ports.map(\.order) == [1, 2, 3, 4])
    let second = try Self.compile(
      try graph("b: { type: sink }, a: { type: sink }"), ports: ports, before: first)
    for port in second.ports {
      #expect(first.ports.contains { $0.name == port.name && $0.number == port.number })
    }
    let third = try Self.compile(
      try Self.graph(
        "nodes: { n: { type: numbers }, c: { type: sink }, b: { type: sink } }\nwires: [n -> c, n -> b]"),
      ports: ports, before: second)
    #expect(third.ports.map(\.name) == ["c_1", "b_1"])
    #expect(third.ports.map(\.number) == [4, 2])
    ports.keep(only: third.ports)
    #expect(ports.number(of: "d_1") == 0)
    #expect(ports.number(of: "d_2") == 1)
    #expect(ports.number(of: "d_3") == 3)
    #expect(ports.number(of: "c_1") == 4)
  }

  @Test func `ten thousand reloads with other ports do not use up the numbers`() {
    let ports = PortNumbers()
    var highest = 0
    for reload in 0..<10_000 {
      let port = HostPort(
        number: ports.number(of: "p\(reload)_1"), name: "p\(reload)_1", direction: .input, label: nil,
        order: 1,
        connect: .none)
      highest = max(highest, port.number)
      ports.keep(only: [port])
    }
    #expect(highest == 1)
  }

  @Test func `more ports than a host has are refused with a sentence`() throws {
    let graph = try Self.graph(
      "nodes: { in: { type: plug, channels: 4000 }, n: { type: numbers }, ear: { type: sink } }\nwires: [n -> ear]"
    )
    #expect {
      try Self.compile(graph)
    } throws: { error in
      (error as? Diagnostic)?.code == "too-many-ports"
    }
  }

  @Test func `an output without a wire is computed and dropped`() throws {
    let graph = try Self.graph(
      """
      nodes: { n: { type: numbers, channels: 3 }, w: { type: warp }, x: { type: warp }, ear: { type: sink } }
      wires: [n -> w -> ear, w.minus -> x]
      """)
    #expect(
      Self.isSame(
        Self.sinkSamples(try Self.compile(graph), count: 300, cycle: 41),
        PlanModel(graph, from: 0, count: 300).sinkSamples))
  }

  @Test func `a thousand random graphs give the samples of a naive model`() throws {
    for seed in 0..<1000 {
      var dice = Dice(UInt64(seed))
      let text = Self.randomGraph(&dice)
      let graph = try Self.graph(text)
      let plan = try Self.compile(graph)
      let count = Int.random(in: 1...50, using: &dice)
      let plugs = ["plug_1": (0..<count).map { PlanMath.number(999, 0, $0) }]
      let sinkSamples = Self.sinkSamples(
        plan, count: count, cycle: Int.random(in: 1...50, using: &dice), plugs: plugs)
      let expected = PlanModel(graph, from: 0, count: count, plugs: plugs).sinkSamples
      guard Self.isSame(sinkSamples, expected) else {
        Issue.record("seed \(seed)\n\(text)")
        return
      }
    }
  }

  /// Up to fifteen nodes, each with one to four earlier inputs of its width, or of width one; two sinks.
  private static func randomGraph(_ dice: inout Dice) -> String {
    var nodes = ["plug: { type: plug }"]
    var wires: [String] = []
    var widths: [(name: String, width: Int)] = [("plug", 1)]
    func wire(to target: String, width: Int, _ dice: inout Dice) {
      let fitting = widths.filter { $0.width == width || $0.width == 1 }
      // The widest first, so that the port has its width from the start.
      let exact = widths.filter { $0.width == width }
      wires.append("\(exact.randomElement(using: &dice)!.name) -> \(target)")
      for _ in 0..<Int.random(in: 0...3, using: &dice) {
        wires.append("\(fitting.randomElement(using: &dice)!.name) -> \(target)")
      }
    }
    for i in 0..<Int.random(in: 1...13, using: &dice) {
      let id = "n\(i)"
      let width = widths.randomElement(using: &dice)!.width
      switch Int.random(in: 0...5, using: &dice) {
      case 0:
        let width = Int.random(in: 1...3, using: &dice)
        nodes.append("\(id): { type: numbers, channels: \(width), seed: \(i) }")
        widths.append((id, width))
      case 1, 2:
        nodes.append("\(id): { type: cross }")
        wire(to: "\(id).a", width: width, &dice)
        wire(to: "\(id).b", width: width, &dice)
        widths.append((id, width))
      default:
        nodes.append("\(id): { type: warp, factor: 0.\(i + 1) }")
        wire(to: id, width: width, &dice)
        widths.append((id, width))
        if Bool.random(using: &dice) { widths.append(("\(id).minus", width)) }
      }
    }
    for ear in ["ear", "other"] {
      nodes.append("\(ear): { type: sink }")
      wire(to: ear, width: widths.randomElement(using: &dice)!.width, &dice)
    }
    return "nodes:\n  " + nodes.shuffled(using: &dice).joined(separator: "\n  ") + "\nwires:\n  - "
      + wires.map { "\"\($0)\"" }.joined(separator: "\n  - ") + "\n"
  }
}
