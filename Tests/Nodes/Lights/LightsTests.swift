import DMX
import Engine
import Graphs
import TestSupport
import Testing

@testable import Nodes

/// Fixtures of a patch, lit by settings and by levels.
@Suite struct LightsTests {
  private static let patch = """
    patch:
      - { name: Par, count: 2, channels: [red, green, blue, white], address: 1/1, groups: front }
      - { name: Spot, channels: [dimmer, { is: pan, range: [270 deg, -270 deg] }, tilt, zoom, cyan, magenta, yellow], address: 1/100, groups: [front] }

    """

  /// The levels of a lights node in its last frame, by the names of its channels.
  private func lit(_ settings: String, patch: String = patch, _ more: String = "", wires: String = "") throws
    -> [String: Float]
  {
    let rig = try GraphRig(
      """
      fps: 10
      \(patch)nodes:
        w: { type: lights, \(settings) }
        out: { type: sacn-output, to: 127.0.0.1 }
      \(more)
      wires: [w -> out\(wires)]
      """)
    _ = try rig.play(9600, outputs: [])
    let node = try #require(rig.plan.graph.nodes.first { $0.id == "w" })
    return try Dictionary(
      uniqueKeysWithValues: node.outputs[0].channels.map {
        ($0.name ?? "", try #require(try rig.levels("w/\($0.number)").last))
      })
  }

  @Test func `a color is mixed of the channels of each lamp, and its dimmer is used if it has one`() throws {
    let lit = try lit(
      "of: front, color: [1, 0.5, 0.5], dimmer: 50 %, pan: 90 deg, tilt: -27 deg, encoding: linear")
    // As light: 1, 0.214 and 0.214; white is their minimum.
    let common: Float = 0.21404114
    #expect(abs(lit["Par 1.red"]! - (1 - common) / 2) < 1e-6 && abs(lit["Par 2.white"]! - common / 2) < 1e-6)
    #expect(lit["Par 1.green"] == 0 && lit["Par 1.blue"] == 0)
    #expect(lit["Spot.dimmer"] == 0.5)
    #expect(lit["Spot.cyan"] == 0 && abs(lit["Spot.magenta"]! - (1 - common)) < 1e-6)
    // 90 degrees of 270…-270, and 27 of -135…135.
    #expect(abs(lit["Spot.pan"]! - 1 / 3) < 1e-6 && abs(lit["Spot.tilt"]! - 0.4) < 1e-6)
    // The number of the range that is nearest to 0.
    #expect(lit["Spot.zoom"] == 0)
  }

  @Test
  func
    `one channel drives all fixtures, and as many channels as fixtures drive each, in the units of the attribute`()
    throws
  {
    let sources = """
        low: { type: constant, value: 0.25 }
        each: { type: constant, channels: 2, value: 0, each: { 2: { value: 1 } } }
      """
    let all = try lit("of: [Par, Spot]", sources, wires: ", low -> w")
    #expect(all["Par 1.white"] == 0.25 && all["Par 1.red"] == 0 && all["Spot.dimmer"] == 0.25)
    let driven = try lit(
      "of: Par, color: blue, drive: [{ key: dimmer, to: [10 %, 60 %] }, { key: red, by: r, to: [1, 0] }]",
      sources, wires: ", each -> w, low -> w.r")
    #expect(abs(driven["Par 1.blue"]! - 0.1) < 1e-6 && abs(driven["Par 2.blue"]! - 0.6) < 1e-6)
    #expect(abs(driven["Par 1.red"]! - 0.075) < 1e-6 && abs(driven["Par 2.red"]! - 0.45) < 1e-6)
    let aimed = try lit(
      "of: Spot, drive: [{ key: pan, to: [-90 deg, 90 deg] }, { key: tilt, to: [0, 1.5], curve: 0.5 }]",
      sources,
      wires: ", low -> w")
    #expect(abs(aimed["Spot.pan"]! - (270 + 45) / 540) < 1e-6)
    #expect(abs(aimed["Spot.tilt"]! - Float((135 + 0.75 * 180 / Double.pi) / 270)) < 1e-6)
    #expect(aimed["Spot.dimmer"] == 1)
  }

  @Test func `the colors of a gradient are for all fixtures, or for each`() throws {
    let sources = """
        ends: { type: constant, channels: 2, value: 0, each: { 2: { value: 1 } } }
        heat: { type: gradient, colors: [red, blue], encoding: linear }
      """
    let lit = try lit("of: Par, dimmer: 50 %", sources, wires: ", ends -> heat -> w.color")
    #expect(
      lit["Par 1.red"] == 0.5 && lit["Par 1.blue"] == 0 && lit["Par 2.red"] == 0
        && abs(lit["Par 2.blue"]! - 0.5) < 1e-6)
    let one = try self.lit("of: Par", sources, wires: ", \"ends[2] -> heat -> w.color\"")
    #expect(abs(one["Par 1.blue"]! - 1) < 1e-6 && one["Par 1.blue"] == one["Par 2.blue"])
  }

  @Test func `attributes of the patch's own are set by name, and moving heads rest at home`() throws {
    let patch = """
      patch: [{ name: Haze, channels: [fog, { is: fan, home: 30 % }, Gobo Wheel, none, reset], address: 3/1 }]

      """
    let lit = try lit("of: Haze, fog: 20 %, set: { Gobo Wheel: 50 % }", patch: patch)
    #expect(lit == ["Haze.fog": 0.2, "Haze.fan": 0.3, "Haze.Gobo Wheel": 0.5, "Haze.reset": 0])
  }

  @Test func `a strobe flashes no more often than the head allows`() throws {
    let patch = """
      flashes: 3
      patch: [{ name: Flash, channels: [dimmer, { is: strobe, range: [0 Hz, 10 Hz] }], address: 1/1 }]

      """
    #expect(abs(try lit("of: Flash, strobe: 8 Hz", patch: patch)["Flash.strobe"]! - 0.3) < 1e-6)
    let driven = try lit(
      "of: Flash, drive: [{ key: strobe, to: [0 Hz, 9 Hz] }]", patch: patch, "  one: { type: constant }",
      wires: ", one -> w")
    #expect(abs(driven["Flash.strobe"]! - 0.3) < 1e-6)
  }

  @Test func `a node that does not set an attribute leaves it to one that does`() throws {
    let checked = try GraphRig.graph(
      """
      \(Self.patch)nodes:
        move: { type: lights, of: Spot, pan: 90 deg, zoom: 50 deg }
        wash: { type: lights, of: Spot, color: red }
        out: { type: sacn-output, to: 127.0.0.1 }
      wires: [move -> out, wash -> out]
      """)
    let places = try #require(UniversePlaces(checked.nodes[2].inputs[0], address: "1/1"))
    // Home is the middle of pan's travel, and zoom's minimum.
    #expect(places.targets.map(\.home) == [0, 0.5, 0.5, 0, 0, 0, 0] && places.targets[1].count == 2)
  }

  @Test func `rows that do not fit go on in the next universe, and the slots of one number stay together`()
    throws
  {
    let checked = try GraphRig.graph(
      """
      patch: [{ name: Bar, count: 3, channels: [pan, tilt, pan fine, none, pan ultra], address: 1/506 }]
      nodes:
        w: { type: lights, of: Bar 2 }
        v: { type: lights, of: Bar }
        out: { type: sacn-output, to: 127.0.0.1 }
      wires: [w -> out, v -> out]
      """)
    #expect(checked.patch.fixtures.map(\.address.description) == ["1/506", "2/1", "2/6"])
    let slots = checked.nodes[0].outputs[0].channels.compactMap(\.light)
    #expect(slots.map(\.slots) == [[1, 3, 5], [2]] && slots.map(\.universe) == [2, 2])
    #expect(
      checked.nodes[1].outputs[0].channels.map(\.name) == [
        "Bar 1.pan", "Bar 1.tilt", "Bar 2.pan", "Bar 2.tilt", "Bar 3.pan", "Bar 3.tilt",
      ])
    let places = try #require(UniversePlaces(checked.nodes[2].inputs[0], address: "1/1"))
    #expect(places.universes == [1, 2] && places.targets.map(\.count) == [1, 1, 2, 2, 1, 1])
    #expect(places.targets.map(\.width) == [3, 1, 3, 1, 3, 1])
  }

  @Test(
    arguments: [
      ("{ name: A, channels: [red], address: 1/513 }", "slot-address"),
      ("{ name: A, channels: [red, green], address: 1/512 }", "no-room"),
      ("{ name: A, channels: [red], address: 63999/512, count: 2 }", "no-room"),
      (
        "{ name: A, count: 2, channels: [red, green], address: 1/1 }, { name: B, channels: [red], address: 1/4 }",
        "fixtures-overlap"
      ),
      (
        "{ name: A, channels: [red], address: 1/1 }, { name: A, channels: [red], address: 1/2 }",
        "fixture-twice"
      ),
      ("{ name: A, channels: [pan fine, pan], address: 1/1 }", "fine-without-coarse"),
      ("{ name: A, channels: [{ is: pan, range: [9 deg, 9 deg] }], address: 1/1 }", "empty-range"),
      ("{ name: A, channels: [{ is: pan, range: [1 Hz, 9 Hz] }], address: 1/1 }", "unknown-unit"),
      ("{ name: A, channels: [{ range: [0, 1] }], address: 1/1 }", "missing-key"),
      (
        "{ name: A 2, channels: [red], address: 1/1 }, { name: A, count: 2, channels: [red], address: 1/2 }",
        "fixture-twice"
      ),
      ("{ name: A, channels: [cyan, magenta, yellow], address: 1/1 }", "no-dimmer"),
      ("{ name: A, channels: [{ is: pan, home: 400 deg }], address: 1/1 }", "out-of-range"),
      ("{ name: A, channels: [fine], address: 1/1 }", "wrong-value"),
      ("{ name: A, address: 1/1 }", "missing-key"), ("{ name: A, channels: [], address: 1/1 }", "too-few"),
      ("{ name: A, channels: [red], address: 1/1 }", ""),
    ])
  func `a fault in a patch is reported at its place`(rows: String, code: String) {
    let checked = check(
      "patch: [\(rows)]\nnodes: { w: { type: lights, of: A }, out: { type: sacn-output } }\nwires: [w -> out]"
    )
    if code == "too-few" {
      #expect(!checked.faults.isEmpty)
    } else {
      #expect(checked.faults.first?.code == (code.isEmpty ? nil : code), "\(checked.faults)")
    }
  }

  private func check(_ text: String) -> CheckResult {
    Checker(Catalog(types: everyNode)).check(SourceText(path: "/g.yaml", text: "visgraph: 1\n\(text)\n"))
  }

  @Test(
    arguments: [
      ("of: Pars", "unknown-fixture"), ("dimmer: 1", "no-fixtures"),
      ("of: Par, drive: [{ key: pan, to: [0, 1] }]", "unknown-property"),
      ("of: Par, drive: [{ key: dimmer }, { key: intensity }]", "driven-twice"),
      ("of: Par, drive: [{ key: dimmer, to: [0, 2] }]", "out-of-range"),
      ("of: Par, drive: [{ key: dimmer, by: color }]", "reserved-port"),
      ("of: Par, set: { gobo wheel: 1 }", "unknown-property"),
    ])
  func `a fault in a lights node is reported at its place`(settings: String, code: String) {
    let checked = check(
      "\(Self.patch)nodes: { w: { type: lights, \(settings) }, out: { type: sacn-output } }\nwires: [w -> out]"
    )
    #expect(checked.faults.first?.code == code, "\(checked.faults)")
  }

  @Test func `fixtures without a slot to light are a fault, and beside others they are left out`() throws {
    func check(_ name: String) -> CheckResult {
      self.check(
        """
        patch:
          - { name: Blind, channels: [none, none], address: 1/1, groups: front }
          - { name: Par, channels: [red], address: 1/10, groups: front }
        nodes: { w: { type: lights, of: \(name) }, out: { type: sacn-output } }
        wires: [w -> out]
        """)
    }
    let blind = check("Blind")
    #expect(blind.faults.map(\.code) == ["no-fixtures"], "\(blind.faults)")
    let mark = try #require(blind.faults.first?.mark)
    #expect(mark.line == 5 && mark.column == 33)
    let front = check("front")
    #expect(front.faults.isEmpty)
    let node = try #require(front.graph?.nodes.first { $0.id == "w" })
    #expect(node.outputs[0].channels.map(\.name) == ["Par.red"])
  }

  @Test func `light goes only to outputs of light, and needs as many channels as there are fixtures`() {
    let level = "c: { type: constant, channels: 3 }"
    let wide = check(
      "\(Self.patch)nodes: { \(level), w: { type: lights, of: Par }, out: { type: sacn-output } }\nwires: [c -> w -> out]"
    )
    #expect(wide.faults.map(\.code) == ["fixtures-and-channels"])
    let odd = check(
      "\(Self.patch)nodes: { w: { type: lights, of: Par }, out: { type: osc-output, to: \"osc.udp://127.0.0.1:9\" } }\nwires: [w -> out]"
    )
    #expect(odd.faults.map(\.code) == ["unlike-ports"])
  }
}
