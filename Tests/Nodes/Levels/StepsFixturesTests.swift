import Engine
import Graphs
import Testing

@testable import Nodes

/// Chases, waves and fans over fixtures of a patch.
@Suite struct StepsFixturesTests {
  private func rig(_ settings: String) throws -> GraphRig {
    try GraphRig(
      """
      patch:
        - { name: Par, count: 3, channels: [red, green, blue], address: 1/1, groups: front }
        - { name: Spot, channels: [pan], address: 1/100, groups: front }
        - { name: Blind, channels: [none], address: 1/200, groups: front }
      nodes:
        tone: { type: tone-source }
        meter: { type: meter }
        over: { type: steps, \(settings) }
        out: { type: osc-output, to: "127.0.0.1:9" }
      wires: [tone -> meter, over -> out]
      """)
  }

  private func levels(_ settings: String, _ count: Int, frames: Int = 1) throws -> [Float] {
    let rig = try rig(settings)
    _ = try rig.play(800 * frames, outputs: [])
    return try (1...count).map { try #require(try rig.levels("over/\($0)").last) }
  }

  @Test func `steps over fixtures have a channel for each fixture, with its name`() throws {
    let graph = try rig("of: front").plan.graph
    let node = try #require(graph.nodes.first { $0.id == "over" })
    #expect(node.outputs[0].channels.map(\.name) == ["Par 1", "Par 2", "Par 3", "Spot"])
    // One step for each fixture, and the second one after a quarter of the round.
    #expect(try levels("of: front, rate: 10 Hz", 4, frames: 8) == [0, 1, 0, 0])
    #expect(try levels("of: [Spot, Par 2], rate: 10 Hz", 2, frames: 8) == [0, 1])
  }

  @Test(arguments: ["forward", "backward", "bounce", "random"])
  func `steps over fixtures without slots run`(order: String) throws {
    let rig = try GraphRig(
      """
      patch: [{ name: Blind, channels: [none], address: 1/200 }]
      nodes:
        one: { type: constant, value: 1 }
        over: { type: steps, of: Blind, rate: 10 Hz, order: \(order) }
        out: { type: osc-output, to: "127.0.0.1:9" }
      wires: [one -> out, over.events -> out.events]
      """)
    _ = try rig.play(60 * 800, outputs: [])
    // A round of one step.
    #expect(rig.frames.flatMap(\.events).count { $0.name == "round" } >= 10)
  }

  @Test func `a fan stands still between 0 and 1, as wide as its spread, and may be reversed or mirrored`()
    throws
  {
    #expect(try levels("channels: 5, shape: fan", 5) == [0, 0.25, 0.5, 0.75, 1])
    #expect(try levels("channels: 5, shape: fan", 5, frames: 90) == [0, 0.25, 0.5, 0.75, 1])
    #expect(try levels("channels: 5, shape: fan, spread: 0.5", 5) == [0.25, 0.375, 0.5, 0.625, 0.75])
    #expect(try levels("channels: 3, shape: fan, order: backward", 3) == [1, 0.5, 0])
    #expect(try levels("channels: 5, shape: fan, mirror: on", 5) == [0, 0.5, 1, 0.5, 0])
    #expect(try levels("channels: 3, shape: fan, spread: 4", 3) == [0, 0.5, 1])
    #expect(try levels("channels: 1, shape: fan", 1) == [0.5])
    #expect(try levels("channels: 3, shape: fan, spread: 0, level: 50 %", 3) == [0.25, 0.25, 0.25])
  }

  @Test(arguments: [
    ("of: Pars", ["unknown-fixture"]), ("of: Par, channels: 4", ["fixtures-and-channels"]),
    ("of: Par, channels: 3", [String]()),
  ])
  func `a missing fixture, or another number of channels, is a fault`(
    settings: String, codes: [String]
  ) {
    let graph = """
      visgraph: 1
      patch: [{ name: Par, count: 3, channels: [red], address: 1/1 }]
      nodes: { over: { type: steps, \(settings) }, out: { type: osc-output, to: "127.0.0.1:9" } }
      wires: [over -> out]
      """
    let checked = Checker(.full).check(SourceText(path: "/nowhere/graph.yaml", text: graph))
    #expect(checked.faults.map(\.code) == codes, "\(checked.faults)")
  }
}
