import Engine
import Graphs
import Testing

@testable import Nodes

/// Constant levels and colors.
@Suite struct ConstantTests {
  private func rig(_ nodes: String) throws -> GraphRig {
    try GraphRig(
      "nodes:\n  tone: { type: tone-source }\n  meter: { type: meter }\n\(nodes)\nwires: [tone -> meter]")
  }

  /// Runs one more frame. Returns its levels, named `node/channel`.
  private func next(_ rig: GraphRig, _ names: String...) throws -> [Float] {
    _ = try rig.play(800, outputs: [])
    return try names.map { try #require(try rig.levels($0).last) }
  }

  @Test func `a constant gives its value in each channel, from the first frame on`() throws {
    let rig = try rig(
      """
        one: { type: constant }
        steady: { type: constant, value: 0.5, channels: 3, names: [Front], each: { Front: { value: 25 % }, 3: { value: 0 } } }
        same: { like: steady, value: 0.75 }
      """)
    #expect(try next(rig, "one/1", "steady/1", "steady/2", "steady/3") == [1, 0.25, 0.5, 0])
    #expect(try next(rig, "same/1", "same/2", "same/3") == [0.25, 0.75, 0])
    let node = try #require(rig.plan.graph.nodes.first { $0.id == "steady" })
    #expect(node.outputs[0].channels.map(\.name) == ["Front", nil, nil])
    #expect(node.outputs[0].type == .level)
  }

  @Test func `a value is set live, for all channels or one, without a new plan`() throws {
    let rig = try rig("  steady: { type: constant, value: 0.5, channels: 2 }")
    #expect(try next(rig, "steady/1", "steady/2") == [0.5, 0.5])
    #expect(try rig.set("steady.value", to: "0.125"))
    #expect(try next(rig, "steady/1", "steady/2") == [0.125, 0.125])
    #expect(try rig.set("steady.each.2.value", to: "75 %"))
    #expect(try next(rig, "steady/1", "steady/2") == [0.125, 0.75])
    // A change of the number of channels needs a new plan.
    #expect(try !rig.set("steady.channels", to: "3"))
  }

  @Test func `a constant gives the components of a color, each times its value`() throws {
    let rig = try rig(
      """
        wash: { type: constant, parts: rgb, color: "#ff8000" }
        half: { type: constant, parts: rgb, color: "#ff8000", value: 0.5 }
        clear: { type: constant, parts: rgba, color: "#ff800080" }
        white: { type: constant, parts: rgbw, color: "#ffff00", each: { green: { value: 0.25 } } }
        pale: { type: constant, parts: rgbw, color: white }
        light: { type: constant, parts: rgb, color: "#bcbcbc", encoding: linear }
      """)
    #expect(try next(rig, "wash/1", "wash/2", "wash/3") == [1, Float(128.0 / 255), 0])
    #expect(try next(rig, "half/1", "half/2", "half/3") == [0.5, Float(64.0 / 255), 0])
    #expect(
      try next(rig, "clear/1", "clear/2", "clear/3", "clear/4") == [
        1, Float(128.0 / 255), 0, Float(128.0 / 255),
      ])
    #expect(try next(rig, "white/1", "white/2", "white/3", "white/4") == [1, 0.25, 0, 0])
    #expect(try next(rig, "pale/1", "pale/2", "pale/3", "pale/4") == [0, 0, 0, 1])
    // 188 is half of the light in sRGB, rounded: ((188/255 + 0.055) / 1.055)^2.4 = 0.502886.
    #expect(abs(try next(rig, "light/1")[0] - 0.502886) < 1e-6)
    let wash = try #require(rig.plan.graph.nodes.first { $0.id == "wash" })
    #expect(wash.outputs[0].channels.map(\.name) == ["red", "green", "blue"])
    #expect(try rig.set("wash.color", to: "blue"))
    #expect(try next(rig, "wash/1", "wash/2", "wash/3") == [0, 0, 1])
  }
}
