import Foundation
import TestSupport
import Testing

/// `visgraph import` of lamps and rigs, and what graphs make of them.
@Suite(.blocking) struct FixtureImportTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private static let seeds =
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path + "/tools/fuzz.d/seeds/fixtures/"

  @Test(
    arguments: [
      ("head.qxf", "Long", "pan (16 bit), tilt, dimmer, speed, zoom, strobe, colorWheel, gobo, Lamp"),
      ("bar.json", "Plain", "dimmer (16 bit), tilt (16 bit), colorWheel, strobe, Show, Tempo, temperature"),
      ("spot.gdtf", "Full", "pan (16 bit), dimmer, strobe, colorWheel, red, blue, red, blue"),
    ])
  func `a fixture is imported and patched, with its attributes`(
    file: String, mode: String, attributes: String
  )
    throws
  {
    let out = folder.file("lamp.yaml")
    let ending = try Visgraph.run("import", Self.seeds + file, "-o", out)
    #expect(ending.code == 0 && ending.results == "\(out)\n", "\(ending.notes)")
    // Every loss that is reported stands in the file.
    let text = try String(contentsOfFile: out, encoding: .utf8)
    for line in ending.notes.split(separator: "\n") { #expect(text.contains("# \(line)\n")) }
    let again = folder.file("again.yaml")
    _ = try Visgraph.run("import", Self.seeds + file, "-o", again)
    #expect(try String(contentsOfFile: again, encoding: .utf8) == text)
    let graph = try folder.write(
      """
      visgraph: 1
      patch: [{ name: A, fixture: lamp.yaml, mode: \(mode), address: 1/1 }]
      nodes: { w: { type: lights, of: A }, out: { type: sacn-output } }
      wires: [w -> out]

      """, to: "g.yaml")
    let info = try Visgraph.run("info", graph)
    #expect(info.code == 0 && info.results.contains(attributes), "\(info.notes)\(info.results)")
  }

  @Test func `a rig becomes a valid graph, with its fixture files beside it`() throws {
    let out = folder.file("show.yaml")
    let ending = try Visgraph.run("import", Self.seeds + "rig.mvr", "-o", out)
    let lamps = ["show-spot.yaml", "show-spot-2.yaml"].map(folder.file)
    #expect(
      ending.code == 0 && ending.results == ([out] + lamps).joined(separator: "\n") + "\n", "\(ending.notes)")
    #expect(ending.notes.contains("- Dark: a fixture without an address\n"))
    #expect(ending.notes.contains("show-spot.yaml:\n"))
    let check = try Visgraph.run("check", out)
    #expect(check.code == 0 && check.notes == "", "\(check.notes)")
    let again = try Visgraph.run("import", Self.seeds + "rig.mvr", "-o", out)
    #expect(again.code == 1 && again.notes.contains("--force writes over it"))
  }

  @Test func `a chosen mode is imported, and an unknown one refused`() throws {
    let out = folder.file("lamp.yaml")
    #expect(try Visgraph.run("import", Self.seeds + "spot.gdtf", "--mode", "Basic", "-o", out).code == 0)
    #expect(try String(contentsOfFile: out, encoding: .utf8).hasSuffix("modes:\n  Basic:\n    - Dimmer\n"))
    let rig = try Visgraph.run(
      "import", Self.seeds + "rig.mvr", "--mode", "Basic", "-o", folder.file("c.yaml"))
    #expect(rig.code == 2 && rig.notes.contains("[no-modes]"))
    let other = try Visgraph.run(
      "import", Self.seeds + "spot.gdtf", "--mode", "Other", "-o", folder.file("b.yaml"))
    #expect(
      other.code == 2 && other.notes.contains("its modes are Basic, Full [unknown-mode]"), "\(other.notes)")
  }
}
