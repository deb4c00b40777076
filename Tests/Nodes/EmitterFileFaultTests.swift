import Glibc
import Graphs
import TestSupport
import Testing

@testable import Nodes

@Suite struct EmitterFileFaultTests {
  private let rig: EmitterFolder
  private var folder: TemporaryFolder { rig.folder }

  init() throws { rig = try EmitterFolder() }

  @Test func `values of the graph mean nothing inside a file`() throws {
    _ = try folder.write(
      "visgraph-emitter: 1\ncells: { a: { birthRate: \"${rate}\" } }\n", to: "emitters/v.yaml")
    let text = rig.graph(
      "sparks: { type: emitter, emitter: emitters/v.yaml, drive: [{ key: scale, by: move }] }")
    #expect(
      rig.said(try rig.check(text)) == """
        emitters/v.yaml:2:26: error: cells.a.birthRate is "${rate}"; it takes a number 0…100000 /s [wrong-value]
           2 | cells: { a: { birthRate: "${rate}" } }
             |                          ^^^^^^^^^

        """)
  }

  @Test func `a fault in a file is told once, in its own place, behind those of the graph`() throws {
    _ = try folder.write(
      "visgraph-emitter: 1\nspin: fast\nlimet: 3\ndrive: [{ key: cells.a.scale, by: move }]\n",
      to: "emitters/w.yaml")
    let text = rig.graph(
      """
      sparks: { type: emitter, emitter: emitters/w.yaml, scale: -1 }
      more: { like: sparks, set: { spin: 2 } }
      again: { type: emitter, emitter: emitters/w.yaml }
      """, "  - faders -> more\n  - faders -> more.move\n  - faders -> again\n  - faders -> again.move")
    let own = Emitter.Settings.fields.map(\.name).filter { !["emitter", "set", "particles"].contains($0) }
    let known = (["visgraph-emitter", "name", "author", "licence", "license"] + own).joined(separator: ", ")
    #expect(
      rig.said(try rig.check(text)) == """
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
    let text = rig.graph(
      """
      sparks: { type: emitter, emitter: emitters/w.yaml }
      more: { like: sparks, set: { cells.a.scale: 2 } }
      own: { type: emitter, cells: { a: { spin: fast } } }
      like: { like: own, set: { cells.a.scale: 2 } }
      """, "  - faders -> more\n  - faders -> own\n  - faders -> like")
    #expect(
      try rig.check(text).faults.map(\.message)
        == ["own.cells.a", "cells.a"].map {
          "\($0).spin is \"fast\"; it takes a number -10000…10000 rad"
        })
  }

  @Test func `a drive of a file that leads nowhere is told where it stands, once`() throws {
    _ = try folder.write("visgraph-emitter: 1\ndrive:\n- { key: scal, by: move }\n", to: "emitters/w.yaml")
    let text = rig.graph(
      "sparks: { type: emitter, emitter: emitters/w.yaml }\nmore: { type: emitter, emitter: emitters/w.yaml }",
      "  - faders -> more\n  - faders -> more.move")
    let faults = try rig.check(text).faults
    #expect(faults.map(\.message) == [#"drive.1.key is "scal", and the emitter has no number "scal""#])
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
    let text = rig.graph("sparks:\n  type: emitter\n  emitter: emitters/sparks.yaml\n  set: { \(path): 1 }")
    let fault = try #require(try rig.check(text).faults.first)
    #expect(
      ([fault.message + " [\(fault.code)]"] + fault.notes.map { "  \($0)" }).joined(separator: "\n")
        == expected)
    #expect(fault.mark == SourceRange(line: 10, column: 12, endLine: 10, endColumn: 12 + path.count))
  }

  @Test(arguments: [
    (
      "cells.sprak.birthRate", "cells has no \"sprak\"",
      ["did you mean cells.spark.birthRate?", "known are spark"]
    ),
    ("drive.3.to", "drive has no \"3\"", ["known are 1…2"]),
  ])
  func `a path of the command line that leads nowhere`(path: String, message: String, notes: [String]) throws
  {
    let text = rig.graph("sparks: { type: emitter, emitter: emitters/sparks.yaml }")
    let faults = try rig.check(text, set: ["sparks.\(path)=1"]).faults
    #expect(faults.map(\.message) == [message] && faults.first?.notes == notes)
    #expect(faults.first?.mark?.option == "--set sparks.\(path)")
  }

  @Test func `a value of set is told where it stands`() throws {
    let text = rig.graph(
      """
      sparks:
        type: emitter
        emitter: emitters/sparks.yaml
        set: { cells.spark.lifetime: much, emitter: a.yaml, sett: 1 }
      """)
    let faults = try rig.check(text).faults
    #expect(
      faults.map(\.message) == [
        #"sparks.cells.spark.lifetime is "much"; it takes a number 0…3600 s"#,
        #"sparks.set has the path "emitter", and emitter has no setting "emitter""#,
        #"sparks.set has the path "sett", and emitter has no setting "sett""#,
      ])
    #expect(
      try rig.check(rig.graph("sparks: { type: emitter, emitter: emitters/sparks.yaml, set: [1] }")).faults
        .map(
          \.message)
        == [
          "sparks.set is a list; it takes a map from paths to values, such as { cells.spark.birthRate: 120 }"
        ])
  }

  @Test func `what only the graph can say is changed by path in the graph`() throws {
    let text = rig.graph(
      """
      sparks: { type: emitter, emitter: emitters/sparks.yaml, particles: { to: 127.0.0.1:9 } }
      more: { like: sparks, set: { particles.rate: 5 } }
      """, "  - faders -> more\n  - faders -> more.move")
    let particles = try rig.settings(try rig.check(text), "more").all.particles
    #expect(particles?.rate == 5 && particles?.to == "127.0.0.1:9")
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
    (
      "visgraph-emitter: 1\nauthor: []", "wrong-value", "author is a list; it takes text: 1 to 500 characters"
    ),
  ])
  func `a file that is none`(text: String, code: String, message: String) throws {
    _ = try folder.write(text, to: "emitters/x.yaml")
    let checked = try rig.check(rig.graph("sparks: { type: emitter, emitter: emitters/x.yaml }"))
    #expect(checked.faults.map(\.code) == [code])
    #expect(checked.faults.map(\.message) == [message])
    #expect(checked.faults.first?.mark?.file == folder.file("emitters/x.yaml"))
  }

  @Test func `what is no file is told where it is named`() throws {
    mkfifo(folder.file("pipe"), 0o600)
    _ = try folder.write("visgraph-emitter: 1 #" + String(repeating: "a", count: 4 << 20), to: "huge")
    let text = rig.graph(
      """
      sparks: { type: emitter, emitter: nosuch.yaml }
      b: { type: emitter, emitter: /dev/zero }
      c: { type: emitter, emitter: pipe }
      d: { type: emitter, emitter: emitters }
      e: { type: emitter, emitter: huge }
      f: { type: emitter, emitter: nosuch.yaml }
      """, "  - faders -> b\n  - faders -> c\n  - faders -> d\n  - faders -> e\n  - faders -> f")
    let checked = try rig.check(text)
    #expect(
      rig.said(checked).split(separator: "\n").filter { $0.contains(": error: ") } == [
        #"graph.yaml:7:37: error: sparks.emitter: there is no file "nosuch.yaml" [file-not-found]"#,
        #"graph.yaml:8:32: error: b.emitter: "/dev/zero" is a device or a pipe, not an emitter file [file-not-regular]"#,
        #"graph.yaml:9:32: error: c.emitter: "pipe" is a device or a pipe, not an emitter file [file-not-regular]"#,
        #"graph.yaml:10:32: error: d.emitter: "emitters" is a folder, not an emitter file [file-is-folder]"#,
        #"graph.yaml:11:32: error: e.emitter: the file "huge" is larger than 4 MB, the most an emitter file may be [file-too-large]"#,
        #"graph.yaml:12:32: error: f.emitter: there is no file "nosuch.yaml" [file-not-found]"#,
      ])
    #expect(checked.files.first == folder.file("nosuch.yaml"))
  }

  @Test func `one file of many nodes, many files, and much of them end soon`() throws {
    var big = "visgraph-emitter: 1\ncells:\n"
    for index in 0..<9000 { big += "  c\(index): { birthRate: 1, lifetime: 2 }\n" }
    _ = try folder.write(big, to: "big.yaml")
    let nodes = (0..<3000).map {
      "n\($0): { type: emitter, emitter: big.yaml, set: { cells.c5.scale: 2 } }\n"
    }
    let codes = try rig.check(rig.graph(nodes.joined())).faults.map(\.code)
    #expect(codes.contains("too-long"))
    let names = (0..<40).map {
      "n\($0): { type: emitter, emitter: \(String(repeating: "./", count: $0))big.yaml }\n"
    }
    #expect(try rig.check(rig.graph(names.joined())).faults.map(\.code).contains("files-too-large"))
  }

  @Test func `many nodes that are like one with many cells and drives end soon`() throws {
    let cells = (0..<9000).map { "c\($0): {}" }.joined(separator: ", ")
    let drives = (0..<256).map { "{ key: cells.c\(8999 - $0).scale }" }.joined(separator: ", ")
    let many = (0..<4000).map { "n\($0): { like: sparks }\n" }
    let wires = (0..<4000).map { "  - faders -> n\($0)\n" }
    let text = rig.graph(
      "sparks: { type: emitter, cells: { \(cells) }, drive: [\(drives)] }\n" + many.joined(),
      wires.joined())
    #expect(try rig.check(text).faults.map(\.code).contains("too-long"))
  }

  @Test func `files may hold so much together`() throws {
    let text = "visgraph-emitter: 1 #" + String(repeating: "a", count: 3 << 20)
    for name in ["a", "b", "c"] { _ = try folder.write(text, to: "\(name).yaml") }
    let nodes = ["a", "b", "a", "c"].enumerated().map { "n\($0): { type: emitter, emitter: \($1).yaml }\n" }
    let faults = try rig.check(rig.graph(nodes.joined())).faults.filter { $0.code == "files-too-large" }
    #expect(
      faults.map(\.message) == [
        "n3.emitter: with this file the graph would read more than 8 MB, or 100000 keys and values, "
          + "from files of settings"
      ])
  }

  @Test func `faults in other files are told to programs with their file`() throws {
    _ = try folder.write("visgraph-emitter: 1\nspin: fast\n", to: "w.yaml")
    let json = try rig.check(rig.graph("sparks: { type: emitter, emitter: w.yaml }")).json.text
    #expect(json.contains("\"file\": \"\(folder.file("w.yaml"))\",\n      \"line\": 2,"))
  }
}
