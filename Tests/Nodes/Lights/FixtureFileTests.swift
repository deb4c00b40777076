import DMX
import Engine
import Graphs
import TestSupport
import Testing

@testable import Nodes

/// Fixtures with their channels in a file.
@Suite struct FixtureFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let head = """
    visgraph-fixture: 1
    name: Head
    channels:
      Pan: { is: pan, range: [-270 deg, 270 deg] }
      Shutter:
        is: strobe
        ranges:
          - { slots: [0, 3] , name: Closed }
          - { slots: [4, 103], to: [1 Hz, 18 Hz] }
          - { slots: [104, 107], to: 0 Hz, name: Open }
      Colors:
        is: color wheel
        ranges:
          - { slots: [0, 7], name: Open, color: white }
          - { slots: [8, 15], name: Red, color: red }
          - { slots: [16, 23], name: Blue, color: blue }
      Gobos: { is: gobo, ranges: [{ slots: [0, 9], name: Open }, { slots: [10, 19] }, { slots: [20, 29], name: Stars }] }
      Intensity: { is: dimmer, ranges: [{ slots: 0, to: 0 }, { slots: [10, 189], to: [0 %, 100 %] }] }
    modes:
      Small: [Pan, Intensity, Shutter]
      Large: [Pan, Pan fine, Intensity, Shutter, Colors, Gobos, none, { is: Reset, default: 12, master: false }]

    """

  private func path(_ text: String = head) throws -> String { try folder.write(text, to: "head.yaml") }

  /// The slot values of a fixture of the file in its last frame, by the names of its attributes.
  private func lit(
    _ settings: String, mode: String = "Large", _ more: String = "", head: String = "", wires: String = ""
  ) throws
    -> [String: Int]
  {
    let rig = try GraphRig(
      """
      fps: 10
      \(head)patch: [{ name: A, fixture: \(try path()), mode: \(mode), address: 1/1 }]
      nodes:
        w: { type: lights, of: A, \(settings) }
        out: { type: sacn-output, to: 127.0.0.1 }
      \(more)
      wires: [w -> out\(wires)]
      """)
    _ = try rig.play(9600, outputs: [])
    let node = try #require(rig.plan.graph.nodes.first { $0.id == "w" })
    return try Dictionary(
      uniqueKeysWithValues: node.outputs[0].channels.map { channel in
        let level = try #require(try rig.levels("w/\(channel.number)").last)
        let light = try #require(channel.light)
        return (light.attribute.name, Int((level * Float(1 << (8 * light.slots.count) - 1)).rounded()))
      })
  }

  @Test func `settings in units of the attribute become the slot values of the file's ranges`() throws {
    let still = try lit("pan: 90 deg, dimmer: 50 %, gobo: 3, color: crimson")
    #expect(still["pan"] == 43690 && still["dimmer"] == 100 && still["gobo"] == 24)
    // Steady is the open shutter, and crimson is nearest to red.
    #expect(still["strobe"] == 105 && still["colorWheel"] == 11 && still["Reset"] == 12)
    let moved = try lit("strobe: 18 Hz, dimmer: 0, set: { gobo: stars, strobe: Closed }, colorWheel: 3")
    #expect(moved["strobe"] == 1 && moved["dimmer"] == 0 && moved["gobo"] == 24 && moved["colorWheel"] == 19)
    #expect(try lit("strobe: 18 Hz")["strobe"] == 103 && lit("strobe: 1 Hz")["strobe"] == 4)
    // Slot 0 stands for 0, and slot 10 for 0 %, too; the first one counts.
    #expect(try lit("dimmer: 100 %", mode: "Small") == ["pan": 128, "dimmer": 189, "strobe": 105])
  }

  @Test func `levels drive the attributes of a file, and a gradient turns the color wheel`() throws {
    let sources = """
        one: { type: constant }
        heat: { type: gradient, colors: [red, blue], encoding: linear }
      """
    let driven = try lit(
      "drive: [{ key: strobe, to: [0 Hz, 9.5 Hz] }, { key: gobo, by: g, to: [1, 3] }]", sources,
      wires: ", one -> w, one -> w.g, one -> heat -> w.color")
    #expect(driven["strobe"] == 54 && driven["gobo"] == 24 && driven["colorWheel"] == 19)
  }

  @Test func `a strobe of a file flashes no more often than the head allows, also if it is set by name`()
    throws
  {
    func strobe(_ settings: String, _ most: Int, wires: String = "") throws -> Int? {
      try lit(
        settings, "  one: { type: constant }", head: "flashes: \(most)\n", wires: wires)["strobe"]
    }
    // Slots 4 to 103 are 1 to 18 Hz: 15 is 2.9 Hz, and 16 is 3.06 Hz.
    #expect(try strobe("strobe: 12 Hz", 3) == 15)
    #expect(try strobe("drive: [{ key: strobe, to: [0 Hz, 18 Hz] }]", 3, wires: ", one -> w") == 15)
    // The slowest rate is 1 Hz, and closed has no number.
    #expect(try strobe("set: { strobe: Closed }", 3) == 105 && strobe("set: { strobe: Open }", 3) == 105)
  }

  @Test func `the master scales the attributes that make light, or those that the file names`() throws {
    let graph = try GraphRig.graph(
      """
      patch: [{ name: A, fixture: \(try path()), mode: Large, address: 1/1 }]
      nodes: { w: { type: lights, of: A }, out: { type: sacn-output, to: 127.0.0.1 } }
      wires: [w -> out]
      """)
    let slots = graph.nodes[0].outputs[0].channels.compactMap(\.light)
    #expect(slots.map(\.isDimmed) == [false, true, false, false, false, false])
    #expect(slots.map(\.slots) == [[1, 2], [3], [4], [5], [6], [8]])
  }

  @Test func `a lamp with amber, warm and cold white mixes a color of the channels that it has`() throws {
    func levels(_ channels: String, _ settings: String) throws -> [String: Float] {
      let rig = try GraphRig(
        """
        fps: 10
        patch: [{ name: A, channels: [\(channels)], address: 1/1 }]
        nodes: { w: { type: lights, of: A, encoding: linear, \(settings) }, out: { type: sacn-output, to: 127.0.0.1 } }
        wires: [w -> out]
        """)
      _ = try rig.play(9600, outputs: [])
      let node = try #require(rig.plan.graph.nodes.first { $0.id == "w" })
      return try Dictionary(
        uniqueKeysWithValues: node.outputs[0].channels.map {
          ($0.light?.attribute.name ?? "", try #require(try rig.levels("w/\($0.number)").last))
        })
    }
    #expect(
      try levels("red, green, blue, amber", "color: yellow") == [
        "red": 0, "green": 0.5, "blue": 0, "amber": 1,
      ])
    #expect(
      try levels("red, green, blue, amber", "color: white") == ["red": 1, "green": 1, "blue": 1, "amber": 0])
    #expect(try levels("warm white, cold white", "temperature: 2700 K") == ["warmWhite": 1, "coldWhite": 0])
    #expect(try levels("ww, cw", "temperature: 6500 K") == ["warmWhite": 0, "coldWhite": 1])
    #expect(try levels("ww, cw", "dimmer: 50 %") == ["warmWhite": 0.5, "coldWhite": 0.5])
    #expect(
      try levels("{ is: temperature, range: [3000 K, 5000 K] }", "temperature: 4000 K") == [
        "temperature": 0.5
      ])
  }

  private func faults(_ row: String, _ file: String = head) throws -> [(String, String)] {
    _ = try path(file)
    let text =
      "visgraph: 1\npatch: [{ name: A, \(row), address: 1/1 }]\n"
      + "nodes: { w: { type: lights, of: A }, out: { type: sacn-output } }\nwires: [w -> out]\n"
    let checked = Checker(Catalog(types: everyNode)).check(
      SourceText(path: "\(folder.path)/g.yaml", text: text))
    return checked.faults.map { fault in
      let file = fault.mark?.file.map { $0.split(separator: "/").last.map(String.init) ?? "" } ?? "graph"
      return (fault.code, "\(file):\(fault.mark?.line ?? 0):\(fault.mark?.column ?? 0)")
    }
  }

  @Test(
    arguments: [
      ("fixture: head.yaml, mode: Large", "", ""), ("fixture: head.yaml", "missing-mode", "graph:2:9"),
      ("fixture: head.yaml, mode: Larg", "unknown-mode", "graph:2:46"),
      ("fixture: none.yaml, mode: Large", "file-not-found", "graph:2:29"),
      ("fixture: head.yaml, channels: [red]", "channels-twice", "graph:2:29"),
      ("channels: [red], mode: Large", "mode-without-fixture", "graph:2:43"),
    ])
  func `a fault in a row that names a file is reported at its place`(
    row: String, code: String, place: String
  ) throws {
    let found = try faults(row)
    #expect(found.map(\.0) == (code.isEmpty ? [] : [code]) && found.map(\.1) == (code.isEmpty ? [] : [place]))
  }

  @Test(
    arguments: [
      ("name: A", "missing-version", 1), ("visgraph-fixture: 2\nmodes: { A: [red] }", "newer-version", 1),
      ("visgraph-fixture: 1\nname: A", "missing-key", 1),
      ("visgraph-fixture: 1\nmodes:\n  A: [red, { is: pan, range: [1 deg, 1 deg] }]", "empty-range", 3),
      ("visgraph-fixture: 1\nmodes:\n  A: [pan fine]", "fine-without-coarse", 3),
      (
        "visgraph-fixture: 1\nmodes:\n  A:\n    - { is: gobo, ranges: [{ slots: [9, 3] }] }",
        "slots-backwards", 4
      ),
      (
        "visgraph-fixture: 1\nmodes:\n  A:\n    - { is: pan, ranges: [{ slots: 3, to: 3 Hz }] }",
        "unknown-unit", 4
      ),
      ("visgraph-fixture: 1\nmodes:\n  A:\n    - { is: pan, ranges: [{ name: B }] }", "missing-key", 4),
      ("visgraph-fixture: 1\nmode: { A: [red] }", "unknown-setting", 2),
      ("visgraph: 1\nnodes: {}", "missing-version", 1),
    ])
  func `a fault in a fixture file is reported at its place there, once`(
    text: String, code: String, line: Int
  ) throws {
    let found = try faults("fixture: head.yaml, mode: A", text)
    #expect(found.first?.0 == code && found.first?.1.hasPrefix("head.yaml:\(line):") == true, "\(found)")
    #expect(!found.contains { $0.0 == "unknown-fixture" })
    let checked = Checker(Catalog(types: everyNode)).check(
      SourceText(path: "head.yaml", text: text), anyFile: true)
    if text.hasPrefix("visgraph-fixture") { #expect(checked.faults.first?.code == code) }
  }

  @Test func `a fixture file can be checked by itself, and is no graph`() throws {
    let source = SourceText(path: "head.yaml", text: Self.head)
    let checker = Checker(Catalog(types: everyNode))
    #expect(checker.check(source).faults.map(\.code) == ["not-a-graph"])
    let checked = checker.check(source, anyFile: true)
    #expect(checked.faults.isEmpty && checked.isSettingsFile)
  }

  @Test func `the graph depends on the file, so that a change of the file is noticed`() throws {
    let file = try path()
    let graph = try GraphRig.graph(
      """
      patch: [{ name: A, count: 3, fixture: \(file), mode: Small, address: 1/1 }]
      nodes: { w: { type: lights, of: A }, out: { type: sacn-output, to: 127.0.0.1 } }
      wires: [w -> out]
      """)
    #expect(
      graph.files == [file] && graph.patch.fixtures.map(\.address.description) == ["1/1", "1/4", "1/7"])
  }
}
