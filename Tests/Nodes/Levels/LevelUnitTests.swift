import Graphs
import Testing

@testable import Nodes

/// The units of levels, stated where a port is declared, and propagated along the wires.
@Suite struct LevelUnitTests {
  @Test func `every level has a unit, but for counts, ratios and the driven numbers of emitters`() {
    var without: [String] = []
    for type in everyNode {
      let description = Self.description(type)
      for port in description.outputs where port.carries == "numbers" && port.unit == nil {
        without.append("\(description.name).\(port.name)")
      }
    }
    #expect(without == ["stereo.correlation", "emitter.driven", "emitter.live", "emitter.births"])
  }

  private static func description<Type: NodeType>(_ type: Type.Type) -> TypeDescription {
    TypeDescription(type)
  }

  @Test func `a unit is propagated along the wires, and where two differ there is none`() throws {
    let graph = try GraphRig.graph(
      """
      nodes:
        in: { type: jack-input, channels: 2 }
        loud: { type: loudness }
        slow: { type: smooth }
        gate: { type: gate }
        meter: { type: meter, ballistics: ppm-iia }
        level: { type: meter-table }
        both: { type: smooth }
        rig: { type: osc-output, to: 127.0.0.1:7700 }
      wires: [in -> loud -> slow -> gate -> level, in -> meter, gate -> rig, loud -> both, meter -> both]
      """)
    func units(_ id: String) throws -> [LevelUnit?] {
      try #require(graph.nodes.first { $0.id == id }).outputs.map(\.unit)
    }
    #expect(try units("loud").prefix(4) == [.loudness, .loudness, .loudness, .loudnessDifference])
    #expect(try units("slow") == [.loudness])
    #expect(try units("gate") == [.loudness, nil])
    #expect(try units("level") == [.ratio])
    #expect(try units("meter") == [.decibelsFullScale, .decibelsFullScale, .programMarks])
    #expect(try units("both") == [nil])
    #expect(graph.nodes.last?.inputs[0].unit == .loudness)
    #expect(PatchSheet(graph).fixtures.map(\.unit) == [.loudness])
  }
}
