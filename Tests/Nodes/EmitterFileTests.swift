import Glibc
import Graphs
import Particles
import TestSupport
import Testing

@testable import Nodes

private let sparks = """
  visgraph-emitter: 1
  name: Sparks
  author: Somebody
  license: CC0-1.0
  emitterShape: line
  velocity: 3
  position: [10 %, 20]
  emitterCells:
    spark:
      birthRate: 80
      lifetime: 3 frames
      emitterCells: { a.b: { contents: light.png }, glow: { contents: none } }
  drive:
    - { key: emitterCells.spark.scale, to: [0, 5] }
    - { key: scale, by: move }

  """

@Suite struct EmitterFileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    mkdir(folder.file("emitters"), 0o755)
    _ = try folder.write(sparks, to: "emitters/sparks.yaml")
  }

  private func graph(_ nodes: String, _ further: String = "", fps: String = "60") -> String {
    """
    visgraph: 1
    fps: \(fps)
    stage: { size: 1000x500 }
    values: { rate: 99, file: emitters/sparks.yaml }
    nodes:
      faders: { type: faders, channels: 2 }
    \(nodes.split(separator: "\n").map { "  \($0)\n" }.joined())
    wires:
      - faders -> sparks
      - faders -> sparks.move
    \(further)
    """
  }

  private func check(_ text: String, set: String...) throws -> Checked {
    let path = try folder.write(text, to: "graph.yaml")
    return Checker(emitterCatalogue).check(path: path, overrides: set.compactMap { Override($0) })
  }

  /// What is said, without the folder.
  private func said(_ checked: Checked) -> String {
    DiagnosticText.text(checked).split(separator: folder.path + "/", omittingEmptySubsequences: false)
      .joined()
  }

  private func settings(_ checked: Checked, _ id: String = "sparks") throws -> PerChannel<Emitter.Settings> {
    let graph = try #require(checked.graph, "\(DiagnosticText.text(checked))")
    let node = try #require(graph.nodes.first { $0.id == id })
    return try #require(node.settings as? PerChannel<Emitter.Settings>)
  }

  @Test
  func
    `a file gives what it says, its pictures relative to itself, in the time and on the stage of the graph`()
    throws
  {
    let checked = try check(graph("sparks: { type: emitter, emitter: emitters/sparks.yaml }", fps: "30"))
    let model = try settings(checked).all.model
    #expect(model.shape == .line && model.velocity == 3 && model.position == Point(x: 100, y: 20))
    #expect(model.cells.map(\.name) == ["spark"])
    #expect(model.cells[0].birthRate == 80 && model.cells[0].lifetime == 0.1)
    #expect(
      model.cells[0].cells.map(\.contents) == [.file(folder.path + "/emitters/light.png"), .none])
    #expect(try settings(checked).all.drive.all.map(\.key.text) == ["emitterCells.spark.scale", "scale"])
    #expect(
      checked.graph?.files == ["emitters/sparks.yaml", "emitters/light.png"].map { folder.path + "/" + $0 })
  }

  @Test func `as text a picture is named as the graph would name it`() throws {
    let checked = try check(graph("sparks: { type: emitter, emitter: emitters/sparks.yaml }"))
    let texts = try #require(checked.graph?.nodes.last?.settingsTexts)
    #expect(texts.first { $0.field == "emitter" }?.text == "emitters/sparks.yaml")
    #expect(
      texts.first { $0.field == "cells" }?.text.contains("a.b: { contents: emitters/light.png }") == true)
  }

  @Test func `what the node says wins, and its cells take the place of all of the file's`() throws {
    let all = try settings(
      check(
        graph(
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

  @Test func `set changes single values by path, in any words, with values of the graph`() throws {
    let all = try settings(
      check(
        graph(
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

  @Test func `set changes what the node itself says, too, and the command line comes last`() throws {
    let text = graph(
      """
      sparks:
        type: emitter
        set: { cells.a.scale: 2, scale: 4, cells.a.spin: 3 }
        scale: 3
        cells: { a: { birthRate: 1 } }
        drive: [{ key: scale, by: move }]
      """)
    let all = try settings(check(text, set: "sparks.cells.a.spin=5", "sparks.cells.b.scale=6")).all
    #expect(all.model.scale == 4)
    #expect(all.model.cells.map(\.scale) == [2, 6] && all.model.cells.map(\.spin) == [5, 0])
    let set = try settings(check(text, set: "sparks.set={ scale: 7 }", "sparks.set.cells.a.scale=8")).all
    #expect(set.model.scale == 7 && set.model.cells.map(\.scale) == [8] && set.model.cells[0].spin == 0)
    let file = try settings(
      check(text, set: "sparks.emitter=emitters/sparks.yaml", "sparks.emitterShape=circle")
    ).all
    #expect(file.model.shape == .circle && file.model.velocity == 3 && file.model.cells.map(\.name) == ["a"])
  }

  @Test func `like takes the file along with its changes, and a file of its own begins anew`() throws {
    _ = try folder.write("visgraph-emitter: 1\nspin: 2\ncells: { flake: {} }\n", to: "emitters/snow.yaml")
    let checked = try check(
      graph(
        """
        sparks: { type: emitter, emitter: emitters/sparks.yaml, zPosition: 9, set: { cells.spark.scale: 2, scale: 5 } }
        more: { like: sparks, set: { cells.spark.spin: 3 } }
        snow: { like: more, emitter: emitters/snow.yaml }
        none: { like: sparks, emitter: none }
        """,
        "  - faders -> more\n  - faders -> more.move\n  - faders -> snow\n  - faders -> none"))
    let more = try settings(checked, "more").all.model
    #expect(more.cells[0].scale == 2 && more.cells[0].spin == 3 && more.scale == 5 && more.velocity == 3)
    let snow = try settings(checked, "snow").all.model
    #expect(snow.cells.map(\.name) == ["flake"] && snow.spin == 2)
    #expect(snow.zPosition == 9 && snow.velocity == 1 && snow.scale == 1 && snow.shape == .point)
    let none = try settings(checked, "none").all.model
    #expect(none.cells == [] && none.zPosition == 9 && none.velocity == 1)
  }

  @Test func `values of the graph mean nothing inside a file`() throws {
    _ = try folder.write(
      "visgraph-emitter: 1\ncells: { a: { birthRate: \"${rate}\" } }\n", to: "emitters/v.yaml")
    let text = graph("sparks: { type: emitter, emitter: emitters/v.yaml, drive: [{ key: scale, by: move }] }")
    #expect(
      said(try check(text)) == """
        emitters/v.yaml:2:26: error: cells.a.birthRate is "${rate}"; it takes a number 0…100000 /s [wrong-value]
           2 | cells: { a: { birthRate: "${rate}" } }
             |                          ^^^^^^^^^

        """)
  }

  @Test func `a fault in a file is told once, in its own place, behind those of the graph`() throws {
    _ = try folder.write(
      "visgraph-emitter: 1\nspin: fast\nlimet: 3\ndrive: [{ key: cells.a.scale, by: move }]\n",
      to: "emitters/w.yaml")
    let text = graph(
      """
      sparks: { type: emitter, emitter: emitters/w.yaml, scale: -1 }
      more: { like: sparks, set: { spin: 2 } }
      again: { type: emitter, emitter: emitters/w.yaml }
      """, "  - faders -> more\n  - faders -> more.move\n  - faders -> again\n  - faders -> again.move")
    let known =
      "visgraph-emitter, name, author, licence, license, shape, mode, renderMode, position, size, birthRate, lifetime, "
      + "zPosition, depth, velocity, scale, spin, seed, beginTime, speed, duration, prewarm, limit, ranges, latitudes, "
      + "directions, lifetimes, preservesDepth, palette, cells, drive"
    #expect(
      said(try check(text)) == """
        graph.yaml:7:61: error: sparks.scale is -1; it takes a number 0…10000 [out-of-range]
           7 |   sparks: { type: emitter, emitter: emitters/w.yaml, scale: -1 }
             |                                                             ^^
        emitters/w.yaml:2:7: error: spin is "fast"; it takes a number -10000…10000 [wrong-value]
           2 | spin: fast
             |       ^^^^
        emitters/w.yaml:3:1: error: an emitter file has no setting "limet" [unknown-setting]
           3 | limet: 3
             | ^^^^^
             = did you mean limit?
             = known are \(known)

        """)
  }

  @Test
  func `a fault of a node or its file is not told again by one that is like it and changes something near`()
    throws
  {
    _ = try folder.write("visgraph-emitter: 1\ncells: { a: { spin: fast } }\n", to: "emitters/w.yaml")
    let text = graph(
      """
      sparks: { type: emitter, emitter: emitters/w.yaml }
      more: { like: sparks, set: { cells.a.scale: 2 } }
      own: { type: emitter, cells: { a: { spin: fast } } }
      like: { like: own, set: { cells.a.scale: 2 } }
      """, "  - faders -> more\n  - faders -> own\n  - faders -> like")
    #expect(
      try check(text).faults.map(\.sentence)
        == ["own.cells.a", "cells.a"].map {
          "\($0).spin is \"fast\"; it takes a number -10000…10000 rad"
        })
  }

  @Test func `a drive of a file that leads nowhere is told where it stands, once`() throws {
    _ = try folder.write("visgraph-emitter: 1\ndrive:\n- { key: scal, by: move }\n", to: "emitters/w.yaml")
    let text = graph(
      "sparks: { type: emitter, emitter: emitters/w.yaml }\nmore: { type: emitter, emitter: emitters/w.yaml }",
      "  - faders -> more\n  - faders -> more.move")
    let faults = try check(text).faults
    #expect(faults.map(\.sentence) == [#"drive.1.key is "scal", and the emitter has no number "scal""#])
    #expect(faults.map(\.mark?.line) == [3] && faults.map(\.mark?.file) == [folder.file("emitters/w.yaml")])
  }

  @Test(arguments: [
    (
      "cells.sprak.birthRate",
      """
      sparks.set has the path "cells.sprak.birthRate", and cells has no "sprak" [unknown-path]
        did you mean cells.spark.birthRate?
        known are spark
      """
    ),
    (
      "emitterCells.spark.contentsRect.with",
      """
      sparks.set has the path "emitterCells.spark.contentsRect.with", and emitterCells.spark.contentsRect has no setting "with" [unknown-path]
        did you mean emitterCells.spark.contentsRect.width?
        known are x, y, width, height
      """
    ),
    (
      "drive.3.to",
      """
      sparks.set has the path "drive.3.to", and drive has no "3" [unknown-path]
        known are 1…2
      """
    ),
    (
      "scale.x",
      """
      sparks.set has the path "scale.x", and scale has no settings inside [path-too-long]
      """
    ),
    (
      "cells.spark.cells.glow.cells.x.scale",
      """
      sparks.set has the path "cells.spark.cells.glow.cells.x.scale", and cells.spark.cells.glow.cells has no "x" [unknown-path]
        cells.spark.cells.glow.cells has none
      """
    ),
  ])
  func `a path of set that leads nowhere`(path: String, expected: String) throws {
    let text = graph("sparks:\n  type: emitter\n  emitter: emitters/sparks.yaml\n  set: { \(path): 1 }")
    let fault = try #require(try check(text).faults.first)
    #expect(
      ([fault.sentence + " [\(fault.code)]"] + fault.notes.map { "  \($0)" }).joined(separator: "\n")
        == expected)
    #expect(fault.mark == Mark(line: 10, column: 12, endLine: 10, endColumn: 12 + path.count))
  }

  @Test func `a value of set is told where it stands`() throws {
    let text = graph(
      """
      sparks:
        type: emitter
        emitter: emitters/sparks.yaml
        set: { cells.spark.lifetime: much, emitter: a.yaml, sett: 1 }
      """)
    let faults = try check(text).faults
    #expect(
      faults.map(\.sentence) == [
        #"sparks.cells.spark.lifetime is "much"; it takes a number 0…3600 s"#,
        #"sparks.set has the path "emitter", and emitter has no setting "emitter""#,
        #"sparks.set has the path "sett", and emitter has no setting "sett""#,
      ])
    #expect(
      try check(graph("sparks: { type: emitter, emitter: emitters/sparks.yaml, set: [1] }")).faults.map(
        \.sentence)
        == [
          "sparks.set is a list; it takes a map from paths to values, such as { cells.spark.birthRate: 120 }"
        ])
  }

  @Test(arguments: [
    ("cells: {}", "missing-version", "the file does not say that it is an emitter file"),
    ("visgraph: 1\nnodes: {}", "missing-version", "the file does not say that it is an emitter file"),
    (
      "visgraph-emitter: 2\nnew: thing", "newer-version",
      "this file was made for a newer visgraph: it is in format 2"
    ),
    ("visgraph-emitter: one", "wrong-version", #"visgraph-emitter is "one"; it takes 1"#),
    ("[1]", "wrong-value", "an emitter file is a map of keys and values, and this is a list"),
    ("visgraph-emitter: 1\nemitter: sparks.yaml", "file-in-file", "an emitter file cannot name another one"),
    ("visgraph-emitter: 1\nset: {}", "not-in-file", "set belongs into the graph, not into an emitter file"),
    ("visgraph-emitter: 1\neach: {}", "not-in-file", "each belongs into the graph, not into an emitter file"),
    ("visgraph-emitter: 1\na: *b", "yaml-alias", "aliases (*name) are not taken in graph files"),
    ("visgraph-emitter: [", "yaml-syntax", "a value is missing here"),
    ("", "file-empty", "the file is empty"),
    ("visgraph-emitter: 1\nauthor: []", "wrong-value", "author is a list; it takes text"),
  ])
  func `a file that is none`(text: String, code: String, sentence: String) throws {
    _ = try folder.write(text, to: "emitters/x.yaml")
    let checked = try check(graph("sparks: { type: emitter, emitter: emitters/x.yaml }"))
    #expect(checked.faults.map(\.code) == [code])
    #expect(checked.faults.map(\.sentence) == [sentence])
    #expect(checked.faults.first?.mark?.file == folder.file("emitters/x.yaml"))
  }

  @Test func `what is no file is told where it is named`() throws {
    mkfifo(folder.file("pipe"), 0o600)
    _ = try folder.write("visgraph-emitter: 1 #" + String(repeating: "a", count: 4 << 20), to: "huge")
    let text = graph(
      """
      sparks: { type: emitter, emitter: nosuch.yaml }
      b: { type: emitter, emitter: /dev/zero }
      c: { type: emitter, emitter: pipe }
      d: { type: emitter, emitter: emitters }
      e: { type: emitter, emitter: huge }
      f: { type: emitter, emitter: nosuch.yaml }
      """, "  - faders -> b\n  - faders -> c\n  - faders -> d\n  - faders -> e\n  - faders -> f")
    let checked = try check(text)
    #expect(
      said(checked).split(separator: "\n").filter { $0.contains(": error: ") } == [
        #"graph.yaml:7:37: error: sparks.emitter: there is no file "nosuch.yaml" [file-not-found]"#,
        #"graph.yaml:8:32: error: b.emitter: "/dev/zero" is a device or a pipe, not an emitter file [file-not-regular]"#,
        #"graph.yaml:9:32: error: c.emitter: "pipe" is a device or a pipe, not an emitter file [file-not-regular]"#,
        #"graph.yaml:10:32: error: d.emitter: "emitters" is a folder, not an emitter file [file-is-folder]"#,
        #"graph.yaml:11:32: error: e.emitter: the file "huge" is larger than 4 MB, the most an emitter file may be [file-too-large]"#,
        #"graph.yaml:12:32: error: f.emitter: there is no file "nosuch.yaml" [file-not-found]"#,
      ])
    #expect(checked.files.first == folder.file("nosuch.yaml"))
  }

  @Test func `an emitter file can be checked by itself, and is no graph`() throws {
    let path = folder.file("emitters/sparks.yaml")
    let checker = Checker(emitterCatalogue)
    #expect(checker.checkAnyFile(path: path).faults == [])
    #expect(checker.check(path: path).faults.map(\.sentence) == ["this is an emitter file, not a graph"])
    _ = try folder.write("visgraph-emitter: 1\ndrive: [{ key: scal }]\n", to: "w.yaml")
    let checked = checker.checkAnyFile(path: folder.file("w.yaml"))
    #expect(
      said(checked).hasPrefix(
        #"w.yaml:2:16: error: drive.1.key is "scal", and the emitter has no number "scal" [unknown-key]"#))
    #expect(
      checker.checkAnyFile(path: path, overrides: [Override("a=1")].compactMap { $0 }).faults.map(\.sentence)
        == ["an emitter file has neither values nor nodes to set"])
  }

  @Test func `one file of many nodes, many files, and much of them end soon`() throws {
    var big = "visgraph-emitter: 1\ncells:\n"
    for index in 0..<9000 { big += "  c\(index): { birthRate: 1, lifetime: 2 }\n" }
    _ = try folder.write(big, to: "big.yaml")
    let nodes = (0..<3000).map {
      "n\($0): { type: emitter, emitter: big.yaml, set: { cells.c5.scale: 2 } }\n"
    }
    let codes = try check(graph(nodes.joined())).faults.map(\.code)
    #expect(codes.contains("too-long"))
    let names = (0..<40).map {
      "n\($0): { type: emitter, emitter: \(String(repeating: "./", count: $0))big.yaml }\n"
    }
    #expect(try check(graph(names.joined())).faults.map(\.code).contains("files-too-large"))
  }

  @Test func `faults in other files are told to programs with their file`() throws {
    _ = try folder.write("visgraph-emitter: 1\nspin: fast\n", to: "w.yaml")
    let json = try check(graph("sparks: { type: emitter, emitter: w.yaml }")).json.text
    #expect(json.contains("\"file\": \"\(folder.file("w.yaml"))\",\n      \"line\": 2,"))
  }
}
