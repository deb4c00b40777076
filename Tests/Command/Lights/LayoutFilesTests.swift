import Foundation
import TestSupport
import Testing

/// `visgraph import` of layouts of LEDs, and what graphs make of them.
@Suite(.blocking) struct LayoutFilesTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private static let seeds = projectFolder.path + "/tools/fuzz.d/seeds/layouts/"

  @Test(
    arguments: [
      ("star.xmodel", 10, true), ("cube.xmodel", 9, true), ("matrix.xmodel", 24, true),
      ("line.xmodel", 8, false),
      ("ledmap.json", 10, true), ("tree.csv", 4, true), ("plain.csv", 3, true),
    ])
  func `a layout is imported as a valid graph, with its losses reported and written`(
    file: String, count: Int, hasTable: Bool
  ) throws {
    let out = folder.file("show.yaml")
    let ending = try Visgraph.run("import", Self.seeds + file, "-o", out)
    let wanted = [out] + (hasTable ? [folder.file("show.csv")] : [])
    #expect(
      ending.code == 0 && ending.results == wanted.joined(separator: "\n") + "\n", "\(ending.notes)")
    let text = try String(contentsOfFile: out, encoding: .utf8)
    for line in ending.notes.split(separator: "\n") { #expect(text.contains("# \(line)\n")) }
    let check = try Visgraph.run("check", out)
    #expect(check.code == 0 && check.notes == "", "\(check.notes)")
    let info = try Visgraph.run("info", out)
    #expect(info.results.contains("\n  leds  \(count) "), "\(info.results)")
    let again = try Visgraph.run("import", Self.seeds + file, "-o", out)
    #expect(again.code == 1 && again.notes.contains("--force writes over it"))
  }

  @Test func `--force writes over the table of an import, and over no other`() throws {
    let (file, out, table) = (Self.seeds + "star.xmodel", folder.file("show.yaml"), folder.file("show.csv"))
    #expect(try Visgraph.run("import", file, "-o", out).code == 0)
    let written = try String(contentsOfFile: table, encoding: .utf8)
    let again = try Visgraph.run("import", file, "-o", out)
    #expect(again.notes == "visgraph: \(out): File exists; --force writes over it, and over \(table)\n")
    #expect(try Visgraph.run("import", file, "-o", out, "--force").code == 0)
    #expect(try String(contentsOfFile: table, encoding: .utf8) == written)
    let own = "# the star on the roof\n" + written
    for (path, text) in [(out, "# my notes\n"), (table, own)] {
      try text.write(toFile: path, atomically: true, encoding: .utf8)
    }
    let reason = "File exists, and holds more than positions; move it, or name another graph with -o"
    for words in [["--force"], []] {
      let refused = try Visgraph.run(["import", file, "-o", out] + words)
      #expect(refused.code == 1 && refused.notes == "visgraph: \(table): \(reason)\n", "\(refused.notes)")
    }
    #expect(try String(contentsOfFile: table, encoding: .utf8) == own)
    #expect(try String(contentsOfFile: out, encoding: .utf8) == "# my notes\n")
  }

  @Test func `a faulty layout ends with 2 and the place`() throws {
    let bad = try folder.write("x,y\n1,a\n", to: "bad.csv")
    let ending = try Visgraph.run("import", bad, "-o", folder.file("show.yaml"))
    #expect(
      ending.code == 2
        && ending.notes
          == "visgraph: \(bad):2: y is \"a\"; a number up to ±1,000,000,000 is needed [wrong-value]\n",
      "\(ending.notes)")
  }
}
