import TestSupport
import Testing

/// Numbers that no emitter may have, and emitters that want too much.
@Suite(.blocking) struct BadEmitterTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func graph(_ emitter: String, channels: Int = 1) throws -> String {
    try folder.write(
      """
      visgraph: 1
      nodes:
        tone: { type: tone-source, channels: \(channels) }
        meter: { type: meter }
        level: { type: meter-table }
        dust: { type: emitter, \(emitter) }
      wires: [tone -> meter -> level -> dust]

      """, to: "graph.yaml")
  }

  @Test func `invalid or absurd numbers are refused at their place`() throws {
    for (key, value, allowed) in [
      ("birthRate", "1e30", "a number 0…100000 /s"), ("lifetime", "1e30", "a number 0…3600 s"),
      ("scale", "1e30", "a number 0…10000"), ("velocity", "-1e30", "a number -1000000…1000000 pt"),
      ("birthRate", "-1", "a number 0…100000 /s"), ("scale", ".nan", "a number 0…10000"),
      ("scale", ".inf", "a number 0…10000"), ("lifetime", "-.inf", "a number 0…3600 s"),
    ] {
      let path = try graph("cells: { bit: { \(key): \(value) } }")
      let ending = try Visgraph.run("check", path)
      #expect(ending.code == 2)
      #expect(
        ending.notes.hasPrefix("\(path):6:\(44 + key.utf8.count): error: dust.cells.bit.\(key) is "),
        "\(ending.notes)")
      #expect(ending.notes.contains("it takes \(allowed) ["), "\(ending.notes)")
      _ = try folder.write(
        "visgraph-emitter: 1\ncells:\n  bit: { \(key): \(value) }\n", to: "bit.yaml")
      let inFile = try Visgraph.run("check", try graph("emitter: bit.yaml"))
      #expect(inFile.code == 2 && inFile.notes.contains("bit.yaml:3:"), "\(inFile.notes)")
      let changed = try Visgraph.run(
        "check", try graph("cells: { bit: { } }, set: { cells.bit.\(key): \(value) }"))
      #expect(changed.code == 2 && changed.notes.contains("graph.yaml:6:"), "\(changed.notes)")
    }
    let whole = try graph("scale: 1, cells: { bit: { birthRate: 5 } }")
    for value in ["1e30", "nan", "inf", "-1"] {
      let ending = try Visgraph.run("check", whole, "--set", "dust.scale=\(value)")
      #expect(ending.code == 2)
      #expect(ending.notes.hasPrefix("--set dust.scale: error: dust.scale is "), "\(ending.notes)")
    }
  }

  @Test func `all channels together have four million particles, and dropped ones are reported`() throws {
    let path = try graph(
      "limit: 1000000, cells: { bit: { birthRate: 100000, lifetime: 3600 s, contents: none } }", channels: 64)
    let ending = try Visgraph.run("render", path, "-o", folder.file("a.csv"), "--for", "0.7")
    #expect(ending.code == 0)
    #expect(
      ending.notes.contains(
        "births were left out, as 4000000 particles of all its channels live already, its share of 4000000 for a graph"
      ),
      "\(ending.notes)")
  }

  @Test func `the number of cells of a node is limited, counted in each of its channels`() throws {
    let cells = (1...257).map { "c\($0): {}" }.joined(separator: ", ")
    let path = try graph("cells: { \(cells) }", channels: 64)
    let ending = try Visgraph.run("check", path)
    #expect(ending.code == 2)
    #expect(
      ending.notes.contains(":6:33: error: 257 cells on 64 channels are too many: at most 16384"),
      "\(ending.notes)")
    #expect(ending.notes.contains("[too-many-cells]"))
    let fewer = try graph("cells: { \(cells) }", channels: 63)
    #expect(try Visgraph.run("check", fewer).code == 0)
  }
}
