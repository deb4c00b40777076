import Engine
import Graphs
import OSC
import System
import TestSupport
import Testing

@testable import Nodes

/// The look in which lights are left at the end.
@Suite struct EndLookTests {
  /// The levels of the last packet of an output whose graph ran for a while and ended.
  private func lastLevels(
    _ output: String, more: String = "", dimming: (GraphRig) -> Void = { _ in }, value: String = "70 %"
  ) throws -> [Float] {
    let sent = Locked<[Float]>([])
    let rig = try GraphRig(
      """
      scenes: { show: { lamp.value: \(value) }, leave: { lamp.value: 25 % } }
      main: show
      nodes:
        tone: { type: tone-source, level: -6 }
        meter: { type: meter }
        level: { type: meter-table }
        lamp: { type: constant }
        \(more)
        rig: { type: osc-output, to: "127.0.0.1:9", send: vector, address: /a, \(output) }
      wires: [tone -> meter -> level -> rig, lamp -> rig\(more.isEmpty ? "" : ", other -> rig")]
      """,
      packets: .score { _, bytes in
        guard case .message(let message)? = try? PacketReader().read(bytes) else { return }
        sent.withLock { $0 = message.arguments.compactMap { if case .float(let f) = $0 { f } else { nil } } }
      })
    _ = try rig.play(8000, outputs: [])
    dimming(rig)
    // In seconds of the timeline, after all frames.
    rig.plan.frames.end(at: 1)
    return sent.withLock { $0 }
  }

  @Test func `an output ends in the dark, or in a scene with its sources idle`() throws {
    #expect(try lastLevels("master: 1") == [0, 0])
    // The source still sounds when the show ends.
    #expect(try lastLevels("endScene: leave") == [0, 0.25])
    #expect(try lastLevels("endScene: show") == [0, 0.7])
  }

  @Test func `the end scene also sets nodes that others are like`() throws {
    #expect(try lastLevels("endScene: leave", more: "other: { like: lamp }") == [0, 0.25, 0.25])
  }

  @Test func `the master scales the end look, and a blackout keeps it dark`() throws {
    #expect(try lastLevels("endScene: leave, master: 0.5") == [0, 0.125])
    #expect(try lastLevels("endScene: leave") { $0.plan.frames.dimmer.master = 0.2 } == [0, 0.05])
    #expect(try lastLevels("endScene: leave") { $0.plan.frames.dimmer.isBlackout = true } == [0, 0])
  }

  @Test(arguments: [
    ("atEnd: scene, endScene: leave", [String]()), ("atEnd: scene", ["no-end-scene"]),
    ("atEnd: scene, endScene: leaves", ["unknown-scene"]), ("endScene: leaves", ["unknown-scene"]),
  ])
  func `the scene of the end has to be one of the graph`(settings: String, codes: [String]) {
    for output in [
      "type: sacn-output", "type: artnet-output, to: 127.0.0.1", "type: dmx-usb-output, device: /dev/ttyUSB0",
    ] {
      let graph = """
        visgraph: 1
        scenes: { leave: { lamp.value: 25 % } }
        nodes: { lamp: { type: constant }, out: { \(output), \(settings) } }
        wires: [lamp -> out]
        """
      let checked = Checker(Catalog(types: everyNode)).check(
        SourceText(path: "/nowhere/graph.yaml", text: graph))
      #expect(checked.faults.map(\.code) == codes, "\(checked.faults)")
    }
  }
}
