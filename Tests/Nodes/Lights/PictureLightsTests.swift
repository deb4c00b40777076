import DMX
import Engine
import Graphs
import TestSupport
import Testing

@testable import Nodes

/// Fixtures that take their color from emitters.
@Suite struct PictureLightsTests {
  private static let nodes = """
    nodes:
      tone: { type: tone-source, level: -6 }
      meter: { type: meter }
      level: { type: meter-table }
      sparks:
        type: emitter
        renderMode: additive
        cells: { spark: { birthRate: 60, lifetime: 1, velocity: 60, emissionRange: 360 deg, color: orange } }
    """

  /// A graph of particles in the middle of a small stage, with fixtures.
  private func rig(_ patch: String, _ more: String, wires: String) throws -> GraphRig {
    let rig = try GraphRig(
      """
      stage: { size: 320x200, background: white }
      patch: [\(patch)]
      \(Self.nodes)
      \(more)
      wires: [tone -> meter -> level -> sparks, \(wires)]
      """)
    rig.showsPictures = true
    return rig
  }

  @Test func `a fixture has the color of an emitter at its place, one frame later, like LEDs`() throws {
    let rig = try rig(
      "{ name: Par, count: 3, channels: [red, green, blue], address: 1/1, place: [[50 %, 50 %], [100 %, 50 %]] }",
      """
        wash: { type: lights, of: Par, area: 20 %, color: blue }
        dmx: { type: sacn-output, to: 127.0.0.1 }
        led: { type: pixels, layout: { grid: 1x1 }, rect: [140, 80, 180, 120] }
        out: { type: ddp-output, to: 127.0.0.1 }
      """, wires: "sparks.picture -> wash.picture, wash -> dmx, sparks.picture -> led -> out")
    func lit(_ name: String) throws -> Float {
      let node = try #require(rig.plan.graph.nodes.first { $0.id == "wash" })
      let channel = try #require(node.outputs[0].channels.first { $0.name == name })
      return try #require(try rig.levels("wash/\(channel.number)").last)
    }
    let led = try #require(rig.plan.leds.first)
    // Nothing is drawn before the first frame, and the color of the setting is not used.
    _ = try rig.play(800, outputs: [])
    #expect(try lit("Par 1.red") == 0 && lit("Par 1.blue") == 0)
    var brightest: Float = 0
    for _ in 0..<40 {
      let before = Array(led.bytes)
      _ = try rig.play(800, outputs: [])
      for (part, name) in ["Par 1.red", "Par 1.green", "Par 1.blue"].enumerated() {
        #expect(try abs(lit(name) * 255 - Float(before[part])) <= 1)
      }
      brightest = max(brightest, try lit("Par 1.red"))
    }
    // Orange light, on black and not on the background, only in the middle.
    #expect(brightest > 0.2)
    #expect(try lit("Par 1.blue") < lit("Par 1.red"))
    #expect(try lit("Par 3.red") == 0 && lit("Par 3.blue") == 0)
  }

  @Test func `the fixtures of a row are spread evenly over its line`() throws {
    func places(_ place: String, count: Int) throws -> [[Double]] {
      let graph = try GraphRig.graph(
        """
        patch: [{ name: Par, count: \(count), channels: [red], address: 1/1, place: \(place) }]
        nodes: { w: { type: lights, of: Par }, out: { type: sacn-output, to: 127.0.0.1 } }
        wires: [w -> out]
        """)
      return graph.patch.fixtures.map { [$0.place!.x, $0.place!.y] }
    }
    #expect(try places("[25 %, 0.5]", count: 2) == [[0.25, 0.5], [0.25, 0.5]])
    #expect(try places("[[0, 0.5], [1, 0.5]]", count: 1) == [[0, 0.5]])
    #expect(try places("[[0, 0.5], [1, 0.5]]", count: 3) == [[0, 0.5], [0.5, 0.5], [1, 0.5]])
    // Around a corner, and past a segment of length 0.
    #expect(
      try places("[[0, 0], [0, 0], [1, 0], [1, 1]]", count: 5)
        == [[0, 0], [0.5, 0], [1, 0], [1, 0.5], [1, 1]])
  }

  @Test func `the color is proportional to the light, and is dimmed like any other`() throws {
    let rig = try rig(
      "{ name: Par, channels: [red, green, blue], address: 1/1, place: [50 %, 50 %] }",
      """
        plain: { type: lights, of: Par, area: 20 % }
        half: { type: lights, of: Par, area: 20 %, dimmer: 50 %, encoding: linear }
        dmx: { type: sacn-output, to: 127.0.0.1 }
      """, wires: "sparks.picture -> plain.picture, sparks.picture -> half.picture, plain -> dmx, half -> dmx"
    )
    _ = try rig.play(24_000, outputs: [])
    let (plain, half) = (
      try #require(try rig.levels("plain/1").last), try #require(try rig.levels("half/1").last)
    )
    #expect(plain > 0.1 && abs(half - Float(OKLab.decoded(Double(plain))) / 2) < 1e-5)
    // A setting changed live does not change the picture.
    #expect(try rig.set("half.dimmer", to: "100 %"))
    _ = try rig.play(1600, outputs: [])
    let full = try #require(try rig.levels("half/1").last)
    let now = try #require(try rig.levels("plain/1").last)
    #expect(abs(full - Float(OKLab.decoded(Double(now)))) < 1e-5)
  }

  @Test(arguments: [
    ("place: [50 %, 50 %]", "sparks.picture -> w.picture, w -> out", [String]()),
    ("groups: a", "sparks.picture -> w.picture, w -> out", ["no-place"]),
    (
      "place: [50 %, 50 %]", "sparks.picture -> w.picture, w -> out, level -> heat -> w.color",
      ["color-of-two"]
    ),
    ("place: [50 %]", "w -> out", ["wrong-count"]), ("place: [[0, 0]]", "w -> out", ["wrong-count"]),
    ("place: [50 %, 150 %]", "w -> out", ["out-of-range"]), ("place: left", "w -> out", ["wrong-value"]),
  ])
  func `a fault in a picture of lights is reported`(row: String, wires: String, codes: [String]) {
    let graph = """
      visgraph: 1
      patch: [{ name: Par, channels: [red, green, blue], address: 1/1, \(row) }]
      \(Self.nodes)
      \(wires.contains("heat") ? "  heat: { type: gradient }" : "")
        w: { type: lights, of: Par }
        out: { type: sacn-output, to: 127.0.0.1 }
      wires: [tone -> meter -> level -> sparks, \(wires)]
      """
    let checked = Checker(Catalog(types: everyNode)).check(
      SourceText(path: "/nowhere/graph.yaml", text: graph))
    #expect(checked.faults.map(\.code) == codes, "\(checked.faults)")
  }
}
