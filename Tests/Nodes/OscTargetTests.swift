import Engine
import Graphs
import OSC
import System
import Testing

@testable import Nodes

/// The settings of sending, which a target states itself or takes from its osc-output.
@Suite struct OscTargetTests {
  private func settings(_ text: String) throws -> OscOutput.Settings {
    let graph = """
      visgraph: 1
      nodes:
        tone: { type: tone-source }
        meter: { type: meter }
        level: { type: meter-table }
        rig: { type: osc-output, \(text) }
      wires: [tone -> meter -> level -> rig]
      """
    let result = Checker(.full).check(SourceText(path: "graph.yaml", text: graph))
    let node = try #require(result.graph?.nodes.first { $0.id == "rig" }, "\(DiagnosticText.text(result))")
    return try #require(node.settings(of: OscOutput.self)).all
  }

  @Test func `a target overrides the settings that it states, and takes the others`() throws {
    let settings = try settings(
      """
      to: [{ to: "127.0.0.1:9", rate: 10, change: 0.25, bundle: immediate }, "127.0.0.1:10"],
      rate: 30, repeat: 2, send: vector, address: /all, zeroOnStop: false
      """)
    var expected = SendSettings()
    (expected.rate, expected.repeatInterval, expected.send, expected.zeroOnStop) = (30, 2, .vector, false)
    #expect(settings.sending == expected)
    #expect(settings.to.all[1].sending(over: settings.sending) == expected)
    (expected.rate, expected.change, expected.bundle) = (10, 0.25, .immediate)
    #expect(settings.to.all[0].sending(over: settings.sending) == expected)
  }

  @Test func `a target without settings is written as its address, and none removes a stated setting`()
    throws
  {
    let settings = try settings(#"to: [{ to: "127.0.0.1:9", rate: none }, { to: "127.0.0.1:10", rate: 60 }]"#)
    #expect(settings.to.all[0][SendFields.rate] == nil && settings.to.all[1][SendFields.rate] == 60)
    #expect(settings.to.written(as: OscTargets.kind).hasPrefix("[127.0.0.1:9, { "))
  }

  @Test func `a target states its own argument type, numbers, arguments, packets and delay`() throws {
    let settings = try settings(
      """
      to: ["127.0.0.1:9", { to: "127.0.0.1:10", argument: int, values: [0, 100], arguments: ["{value}", 0.5], packet: 512, delay: 20 ms }],
      argument: bool
      """)
    var expected = SendSettings()
    expected.argument = .bool
    #expect(settings.to.all[0].sending(over: settings.sending) == expected)
    (expected.argument, expected.values, expected.packet) = (.int, [0, 100], 512)
    expected.arguments = ["{value}", "0.5"]
    #expect(settings.to.all[1].sending(over: settings.sending) == expected)
    #expect(settings.to.all.map(\.delay) == [0, 0.02])
    #expect(settings.to.written(as: OscTargets.kind).contains("delay: 0.02"))
  }

  @Test func `values and bools apply to levels only, and arguments have one value`() throws {
    func codes(_ text: String) -> [String] {
      let graph = """
        visgraph: 1
        nodes: { tone: { type: tone-source }, meter: { type: meter }, rig: { type: osc-output, to: "127.0.0.1:9", \(text) } }
        wires: [tone -> meter -> rig]
        """
      return Checker(.full).check(SourceText(path: "graph.yaml", text: graph)).faults.map(\.code)
    }
    #expect(codes("argument: int") == [])
    #expect(codes("values: [0, 100]") == ["values-of-levels"])
    #expect(codes("argument: bool") == ["bool-of-levels"])
    #expect(codes("arguments: [1, 2]") == ["osc-argument-value"])
    #expect(codes("packet: 100").count == 1)
  }

  @Test func `a target with a delay gets levels and events that much later, and the others at once`() throws {
    let sent = Locked<[(time: Double, message: Message)]>([])
    let rig = try GraphRig(
      """
      fps: 60
      nodes:
        chase: { type: steps, channels: 2, rate: 7.5 Hz, steps: 2 }
        rig:
          type: osc-output
          to: [{ to: "127.0.0.1:9", address: "/now/{channel}" }, { to: "127.0.0.1:10", address: "/later/{channel}", delay: 40 ms }]
          rate: 0
          repeat: 0
      wires: [chase -> rig, chase.events -> rig.events]
      """,
      packets: .score { time, bytes in
        let messages = (try? PacketReader().read(Array(bytes)))?.messages ?? []
        sent.withLock { sent in sent += messages.map { (time, $0) } }
      })
    for _ in 0..<24 { rig.process(800) }
    func frames(_ address: String) -> [String] {
      sent.withLock { $0 }.filter { $0.message.address.hasPrefix(address) }.map {
        "\(Int(($0.time * 60).rounded())) \($0.message.address.suffix(1)) \($0.message.arguments)"
      }
    }
    // A step takes eight frames; 40 ms are three frames, rounded up.
    let now = [
      "1 1 [OSC.Argument.float(1.0)]", "1 2 [OSC.Argument.float(0.0)]", "8 1 [OSC.Argument.float(0.0)]",
      "8 2 [OSC.Argument.float(1.0)]", "16 1 [OSC.Argument.float(1.0)]", "16 2 [OSC.Argument.float(0.0)]",
      "24 1 [OSC.Argument.float(0.0)]", "24 2 [OSC.Argument.float(1.0)]",
    ]
    #expect(frames("/now") == now)
    let later = now.prefix(6).map { line in
      let parts = line.split(separator: " ", maxSplits: 1)
      return "\(Int(parts[0])! + 3) \(parts[1])"
    }
    #expect(frames("/later") == later)
    #expect(frames("/visgraph/rig/chase/round").map { $0.prefix(2) } == ["1 ", "4 ", "16", "19"])
  }

  @Test func `delayed levels are dropped when a level is sent at once`() {
    let line = OscDelay(1)
    func delayed(at time: Double) -> [String] {
      var delayed: [String] = []
      line.levels(until: time) { delayed.append("\(Array($0)) \($1)") }
      return delayed
    }
    func keep(_ value: Float, at time: Double, isPeak: Bool = false) {
      [value].withUnsafeBufferPointer { line.keep($0, at: time, isPeak: isPeak) }
    }
    keep(1, at: 0)
    #expect(delayed(at: 0.5) == [])
    #expect(delayed(at: 1) == ["[1.0] false"])
    keep(0.5, at: 1)
    keep(0.75, at: 1.5, isPeak: true)
    keep(0.25, at: 1.5)
    #expect(delayed(at: 2) == ["[0.5] false"])
    #expect(delayed(at: 2.5) == ["[0.75] true", "[0.25] false"])
    keep(1, at: 3)
    [Float(0)].withUnsafeBufferPointer { line.forget($0) }
    #expect(delayed(at: 9) == ["[0.0] false"])
  }

  @Test func `an event of a later time delays no event after the time went back`() {
    let line = OscDelay(1)
    func keep(_ event: [UInt8], at time: Double) { event.withUnsafeBytes { line.keep($0, at: time) } }
    func delayed(at time: Double) -> [[UInt8]] {
      var delayed: [[UInt8]] = []
      line.events(until: time) { delayed.append(Array($0)) }
      return delayed
    }
    keep([1], at: 100)
    keep([2], at: 0.5)
    #expect(delayed(at: 1) == [])
    #expect(delayed(at: 1.5) == [[2]])
    #expect(delayed(at: 200) == [])
  }

  /// The place, line and column, and the code of each fault of a graph whose node `rig` gets two channels of one node,
  /// or one channel each of two.
  private func faults(_ rig: String, ofTwo: Bool = false, of type: String = "constant") -> [String] {
    let graph = """
      visgraph: 1
      nodes:
        a: { type: constant, channels: \(ofTwo ? 1 : 2) }
        b: { type: constant }
        rig:
          type: osc-output
      \(rig.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n"))
      wires: [a -> rig\(ofTwo ? ", b -> rig" : "")]
      """
    let result = Checker(.full).check(SourceText(path: "graph.yaml", text: graph))
    return DiagnosticText.text(result).split(separator: "\n").filter { $0.contains(": error: ") }.map {
      line in
      let place = line.split(separator: ":")[1...2].joined(separator: ":")
      return "\(place) \(line.split(separator: "[").last?.dropLast() ?? "")"
    }
  }

  @Test func `all faults of all targets are reported, each once and where its setting is stated`() {
    #expect(
      faults(
        """
        to:
        - { to: "127.0.0.1:9", address: /same }
        - { to: "127.0.0.1:10", arguments: [x] }
        - "127.0.0.1:11"
        """) == ["8:37 equal-addresses", "9:40 osc-argument-value"])
    #expect(
      faults(
        """
        to: ["127.0.0.1:9", "127.0.0.1:10"]
        arguments: [x]
        """) == ["8:16 osc-argument-value"])
    #expect(
      faults(
        """
        to: { to: "127.0.0.1:9", address: /same }
        address: "/other/{channel}"
        """) == ["7:39 equal-addresses"])
  }

  @Test func `sources tell messages apart where they differ, in the address or in an argument`() {
    for settings in ["address: \"/a/{source}\"", "address: /a\narguments: [\"{source}\", \"{value}\"]"] {
      let rig = "to: \"127.0.0.1:9\"\n\(settings)"
      #expect(faults(rig, ofTwo: true) == [])
      #expect(faults(rig) == ["8:14 equal-addresses"])
    }
  }
}
