import Graphs
import Particles
import TestSupport
import Testing

@testable import Nodes

/// The order in which emitters are drawn.
@Suite struct EmitterOrderTests {
  /// The red of each system in the order of drawing.
  private func order(_ first: String, _ second: String, drive: String = "") throws -> [Double] {
    let rig = try GraphRig(
      """
      nodes:
        in: { type: jack-input, channels: 2 }
        meter: { type: meter }
        level: { type: meter-table }
        a: { type: emitter, palette: ["rgb(51 0 0)", "rgb(102 0 0)"], cells: { c: { birthRate: 60, lifetime: 1 } }, \(first) }
        b: { type: emitter, palette: ["rgb(153 0 0)", "rgb(204 0 0)"], cells: { c: { birthRate: 60, lifetime: 1 } }, \(second) }
      wires: [in -> meter -> level -> a, level -> b]
      """)
    var reds: [Double] = []
    rig.process(1600)
    for emitter in rig.plan.emitters { emitter.advance() }
    rig.plan.withSystemsInOrder { reds.append($1.layer.tint.red) }
    return reds
  }

  @Test func `emitters without a zPosition are drawn in the order of the file`() throws {
    #expect(try order("scale: 1", "scale: 1") == [0.2, 0.4, 0.6, 0.8])
  }

  @Test func `a larger zPosition is drawn later, whatever the order of the file`() throws {
    #expect(try order("zPosition: 1", "scale: 1") == [0.6, 0.8, 0.2, 0.4])
    #expect(try order("scale: 1", "emitterZPosition: -1") == [0.6, 0.8, 0.2, 0.4])
    #expect(try order("zPosition: 5", "zPosition: 5") == [0.2, 0.4, 0.6, 0.8])
  }

  @Test func `channels and driven numbers have their own zPosition`() throws {
    #expect(try order("each: { 2: { zPosition: 10 } }", "zPosition: 5") == [0.2, 0.6, 0.8, 0.4])
    #expect(
      try order("drive: [{ key: zPosition, from: [0, 1], to: [10, 20], idle: 10 }]", "zPosition: 5")
        == [0.6, 0.8, 0.2, 0.4])
  }
}
