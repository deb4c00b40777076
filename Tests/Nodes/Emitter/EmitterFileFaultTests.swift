import Glibc
import Graphs
import TestSupport
import Testing

@testable import Nodes

@Suite struct EmitterFileFaultTests {
  private let rig: EmitterFolder
  private var folder: TemporaryFolder { rig.folder }

  init() throws { rig = try EmitterFolder() }

  @Test(arguments: [
    (
      "cells.sprak.birthRate", "cells has no \"sprak\"",
      ["did you mean cells.spark.birthRate?", "possible values: spark"]
    ),
    ("drive.3.to", "drive has no \"3\"", ["possible values: 1…2"]),
  ])
  func `a path of the command line that does not exist in a file is reported`(
    path: String, message: String, notes: [String]
  ) throws {
    let text = rig.graph("sparks: { type: emitter, emitter: emitters/sparks.yaml }")
    let faults = try rig.check(text, set: ["sparks.\(path)=1"]).faults
    #expect(faults.map(\.message) == [message] && faults.first?.notes == notes)
    #expect(faults.first?.mark?.option == "--set sparks.\(path)")
  }

  @Test func `a setting that only the graph has is changed by its path in the graph`() throws {
    let text = rig.graph(
      """
      sparks: { type: emitter, emitter: emitters/sparks.yaml, particles: { to: 127.0.0.1:9 } }
      more: { like: sparks, set: { particles.rate: 5 } }
      """, "  - faders -> more\n  - faders -> more.move")
    let particles = try rig.settings(try rig.check(text), "more").all.particles
    #expect(particles?.rate == 5 && particles?.to == "127.0.0.1:9")
  }

  @Test func `a path that is no file is reported at the place that names it`() throws {
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
      rig.diagnosticText(checked).split(separator: "\n").filter { $0.contains(": error: ") } == [
        #"graph.yaml:7:37: error: sparks.emitter: there is no file "nosuch.yaml" [file-not-found]"#,
        #"graph.yaml:8:32: error: b.emitter: "/dev/zero" is a device or a pipe, not an emitter file [file-not-regular]"#,
        #"graph.yaml:9:32: error: c.emitter: "pipe" is a device or a pipe, not an emitter file [file-not-regular]"#,
        #"graph.yaml:10:32: error: d.emitter: "emitters" is a folder, not an emitter file [file-is-folder]"#,
        #"graph.yaml:11:32: error: e.emitter: the file "huge" is larger than 4 MB, the limit of an emitter file [file-too-large]"#,
        #"graph.yaml:12:32: error: f.emitter: there is no file "nosuch.yaml" [file-not-found]"#,
      ])
    #expect(checked.files.first == folder.file("nosuch.yaml"))
  }

  @Test func `the check of one file in many nodes, of many files, and of many changes is fast`() throws {
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

  @Test func `the check of many nodes like one with many cells and drives is fast`() throws {
    let cells = (0..<9000).map { "c\($0): {}" }.joined(separator: ", ")
    let drives = (0..<256).map { "{ key: cells.c\(8999 - $0).scale }" }.joined(separator: ", ")
    let many = (0..<4000).map { "n\($0): { like: sparks }\n" }
    let wires = (0..<4000).map { "  - faders -> n\($0)\n" }
    let text = rig.graph(
      "sparks: { type: emitter, cells: { \(cells) }, drive: [\(drives)] }\n" + many.joined(),
      wires.joined())
    #expect(try rig.check(text).faults.map(\.code).contains("too-long"))
  }

  @Test func `the files of a graph have a limit of bytes together`() throws {
    let text = "visgraph-emitter: 1 #" + String(repeating: "a", count: 3 << 20)
    for name in ["a", "b", "c"] { _ = try folder.write(text, to: "\(name).yaml") }
    let nodes = ["a", "b", "a", "c"].enumerated().map { "n\($0): { type: emitter, emitter: \($1).yaml }\n" }
    let faults = try rig.check(rig.graph(nodes.joined())).faults.filter { $0.code == "files-too-large" }
    #expect(
      faults.map(\.message) == [
        "n3.emitter: with this file, the files of settings that the graph names exceed 8 MB, or "
          + "100000 keys and values"
      ])
  }

  @Test func `faults in other files are reported to programs with the file`() throws {
    _ = try folder.write("visgraph-emitter: 1\nspin: fast\n", to: "w.yaml")
    let json = try rig.check(rig.graph("sparks: { type: emitter, emitter: w.yaml }")).json.text
    #expect(json.contains("\"file\": \"\(folder.file("w.yaml"))\",\n      \"line\": 2,"))
  }
}
