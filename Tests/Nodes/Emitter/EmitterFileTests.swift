import Glibc
import Graphs
import Particles
import TestSupport
import Testing

@testable import Nodes

@Suite struct EmitterFileTests {
  private let rig: EmitterFolder
  private var folder: TemporaryFolder { rig.folder }

  init() throws { rig = try EmitterFolder() }

  @Test
  func
    `a file gives its settings, with pictures relative to itself, in the units and on the stage of the graph`()
    throws
  {
    let checked = try rig.check(
      rig.graph("sparks: { type: emitter, emitter: emitters/sparks.yaml }", fps: "30"))
    let model = try rig.settings(checked).all.model
    #expect(model.shape == .line && model.velocity == 3 && model.position == Point(x: 100, y: 20))
    #expect(model.cells.map(\.name) == ["spark"])
    #expect(model.cells[0].birthRate == 80 && model.cells[0].lifetime == 0.1)
    #expect(
      model.cells[0].cells.map(\.contents) == [.file(folder.path + "/emitters/light.png"), .none])
    #expect(try rig.settings(checked).all.drive.all.map(\.key.text) == ["emitterCells.spark.scale", "scale"])
    #expect(
      checked.graph?.files == ["emitters/sparks.yaml", "emitters/light.png"].map { folder.path + "/" + $0 })
  }

  @Test func `as text a picture has the path that the graph would use`() throws {
    let checked = try rig.check(rig.graph("sparks: { type: emitter, emitter: emitters/sparks.yaml }"))
    let texts = try #require(checked.graph?.nodes.last?.settingsTexts)
    #expect(texts.first { $0.field == "emitter" }?.text == "emitters/sparks.yaml")
    #expect(
      texts.first { $0.field == "cells" }?.text.contains("a.b: { contents: emitters/light.png }") == true)
  }

  @Test func `the node's own settings win over the file's, and its cells replace all of the file's`() throws {
    let all = try rig.settings(
      rig.check(
        rig.graph(
          """
          sparks:
            cells: { other: { birthRate: 1 } }
            velocity: 4
            emitter: emitters/sparks.yaml
            each: { 2: { velocity: 5 } }
            drive: [{ key: scale, by: move }]
            type: emitter
          """))
    )
    #expect(all.all.model.cells.map(\.name) == ["other"])
    #expect(all[0].model.velocity == 4 && all[1].model.velocity == 5)
    #expect(all.all.model.shape == .line)
  }

  @Test func `set changes single values of the file by path, with any notation and values of the graph`()
    throws
  {
    let all = try rig.settings(
      rig.check(
        rig.graph(
          """
          sparks:
            type: emitter
            emitter: "${file}"
            set:
              cells.spark.birthRate: ${rate}
              emitterCells.spark.emitterCells.glow.color: red
              cells.spark.cells.a.b.contents: own.png
              cells.spark.cells.a.b.contentsRect.x: 50 %
              scale: 2
              position.x: 5
              emitterSize.width: 7
              mode: outline
              drive.2.to: [1, 3]
              palette: [red]
              x-note: nothing
          """))
    ).all
    let spark = all.model.cells[0]
    #expect(spark.birthRate == 99 && spark.lifetime == 0.05)
    #expect(spark.cells[1].color == Color(red: 1, green: 0, blue: 0) && spark.cells[1].contents == .none)
    #expect(spark.cells[0].contents == .file(folder.path + "/own.png"))
    #expect(spark.cells[0].contentsRect == UnitRect(x: 0.5, y: 0, width: 1, height: 1))
    #expect(all.model.scale == 2 && all.model.position == Point(x: 5, y: 20) && all.model.mode == .outline)
    #expect(all.model.size == Size(width: 7, height: 0) && all.palette.count == 1)
    #expect(all.drive.all[1].to.map(\.text) == ["1", "3"])
  }

  @Test func `set also changes the node's own settings, and the command line comes last`() throws {
    let text = rig.graph(
      """
      sparks:
        type: emitter
        set: { cells.a.scale: 2, scale: 4, cells.a.spin: 3 }
        scale: 3
        cells: { a: { birthRate: 1 } }
        drive: [{ key: scale, by: move }]
      """)
    let all = try rig.settings(
      rig.check(text, set: ["sparks.cells.a.spin=5", "sparks.cells.b={ scale: 6 }"])
    ).all
    #expect(all.model.scale == 4)
    #expect(all.model.cells.map(\.scale) == [2, 6] && all.model.cells.map(\.spin) == [5, 0])
    let set = try rig.settings(
      rig.check(text, set: ["sparks.set={ scale: 7 }", "sparks.set.cells.a.scale=8"])
    ).all
    #expect(set.model.scale == 7 && set.model.cells.map(\.scale) == [8] && set.model.cells[0].spin == 0)
    let file = try rig.settings(
      rig.check(text, set: ["sparks.emitter=emitters/sparks.yaml", "sparks.emitterShape=circle"])
    ).all
    #expect(file.model.shape == .circle && file.model.velocity == 3 && file.model.cells.map(\.name) == ["a"])
  }

  @Test func `like copies the file along with its changes, and another file starts anew`() throws {
    _ = try folder.write("visgraph-emitter: 1\nspin: 2\ncells: { flake: {} }\n", to: "emitters/snow.yaml")
    let checked = try rig.check(
      rig.graph(
        """
        sparks: { type: emitter, emitter: emitters/sparks.yaml, zPosition: 9, set: { cells.spark.scale: 2, scale: 5 } }
        more: { like: sparks, set: { cells.spark.spin: 3 } }
        snow: { like: more, emitter: emitters/snow.yaml }
        none: { like: sparks, emitter: none }
        """,
        "  - faders -> more\n  - faders -> more.move\n  - faders -> snow\n  - faders -> none"))
    let more = try rig.settings(checked, "more").all.model
    #expect(more.cells[0].scale == 2 && more.cells[0].spin == 3 && more.scale == 5 && more.velocity == 3)
    let snow = try rig.settings(checked, "snow").all.model
    #expect(snow.cells.map(\.name) == ["flake"] && snow.spin == 2)
    #expect(snow.zPosition == 9 && snow.velocity == 1 && snow.scale == 1 && snow.shape == .point)
    let none = try rig.settings(checked, "none").all.model
    #expect(none.cells == [] && none.zPosition == 9 && none.velocity == 1)
  }

  @Test func `an emitter file can be checked by itself, and is no graph`() throws {
    let path = folder.file("emitters/sparks.yaml")
    let checker = Checker(emitterCatalog)
    #expect(checker.checkAnyFile(path: path).faults == [])
    #expect(checker.check(path: path).faults.map(\.message) == ["this is an emitter file, not a graph"])
    _ = try folder.write("visgraph-emitter: 1\ndrive: [{ key: scal }]\n", to: "w.yaml")
    let checked = checker.checkAnyFile(path: folder.file("w.yaml"))
    #expect(
      rig.diagnosticText(checked).hasPrefix(
        #"w.yaml:2:16: error: drive.1.key is "scal", and the emitter has no number "scal" [unknown-key]"#))
    #expect(
      checker.checkAnyFile(path: path, overrides: [Override("a=1")].compactMap { $0 }).faults.map(\.message)
        == ["--set does not apply to an emitter file, which has neither values nor nodes"])
  }
}
