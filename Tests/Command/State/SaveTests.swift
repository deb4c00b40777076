import Foundation
import Glibc
import OSC
import System
import TestSupport
import Testing

/// `visgraph save`: what was set live goes into the graph file.
@Suite(.serialized, .blocking) struct SaveTests {
  @Test func `settings are saved into the file, and nothing else of it changes`() throws {
    let folder = try TemporaryFolder()
    let text = """
      # My show.
      visgraph: 1
      nodes:
        tone: { type: tone-source,  level: -20 dB }   # quiet
        meter:
          # slow
          type: meter
      wires: [tone -> meter]

      """
    let graph = try folder.write(text, to: "graph.yaml")
    let child = try Visgraph.start("run", graph, "--host", "clock", "--for", "600", "--watch")
    let port = try child.controlPort()
    let peer = try ControlPeer(port)
    #expect(try Visgraph.run("save", "\(port)").code == 0)
    #expect(child.says("nothing was set that could be saved"))
    try peer.send("/visgraph/node/tone/level", .float(-12))
    try peer.send("/visgraph/node/meter/release", .float(0.5))
    #expect(try Visgraph.run("save", "\(port)").code == 0)
    #expect(child.says("saved 2 settings into \(graph)"), "\(child.notes)")
    let saved = try String(contentsOfFile: graph, encoding: .utf8)
    #expect(
      saved
        == text.replacing("level: -20 dB", with: "level: -12 dB")
        .replacing("type: meter\nwires", with: "type: meter\n    release: 0.5 s\nwires"), "\(saved)")
    #expect(!child.notes.contains("reloaded"))

    // Another editor has been at the file: theirs comes first.
    try Data((saved + "# theirs\n").utf8).write(to: URL(filePath: graph))
    #expect(child.says("reloaded"))
    try Data((saved + "# theirs again\n").utf8).write(to: URL(filePath: folder.file("other.yaml")))
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0)
    #expect(try Visgraph.run("save", "\(port)").code == 1)
  }

  @Test func `a file that was changed meanwhile is not overwritten`() throws {
    let folder = try TemporaryFolder()
    let graph = try folder.write(
      "visgraph: 1\nnodes: { tone: { type: tone-source }, meter: { type: meter } }\nwires: [tone -> meter]\n",
      to: "graph.yaml")
    let child = try Visgraph.start("run", graph, "--host", "clock", "--for", "600", "--no-watch")
    let port = try child.controlPort()
    let peer = try ControlPeer(port)
    try peer.send("/visgraph/node/tone/level", .float(-12))
    let theirs = try String(contentsOfFile: graph, encoding: .utf8) + "# theirs\n"
    try Data(theirs.utf8).write(to: URL(filePath: graph))
    // The command waits a second for a refusal, which a busy machine may send later.
    var ending = try Visgraph.run("save", "\(port)")
    #expect(
      try poll {
        if ending.code == 0 { ending = try Visgraph.run("save", "\(port)") }
        return ending.code == 1 && ending.notes.contains("has been changed since it was read")
      }, "\(ending.notes)")
    #expect(try String(contentsOfFile: graph, encoding: .utf8) == theirs)
    child.signal(SIGHUP)
    #expect(child.says("reloaded"))
    #expect(try Visgraph.run("save", "\(port)").code == 0)
    #expect(poll { (try? String(contentsOfFile: graph, encoding: .utf8))?.contains("level: -12") == true })
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0)
  }

  private typealias Saved = (ending: Visgraph.Ending, text: String, folder: TemporaryFolder)

  /// A show whose graph says this, with settings made and saved; gives the ending of `save`, which is to have a code,
  /// and what the file says then. The command waits a second for a refusal, which a busy machine may send later: then
  /// it is tried again.
  private func saved(_ text: String, _ settings: (String, Double)..., code: Int32 = 0) throws -> Saved {
    var found = try save(text, settings)
    for _ in 0..<3 where found.ending.code != code { found = try save(text, settings) }
    return found
  }

  private func save(_ text: String, _ settings: [(String, Double)]) throws -> Saved {
    let folder = try TemporaryFolder()
    let graph = try folder.write(Array(text.utf8), to: "graph.yaml")
    for other in ["graph.yaml.new", "graph.yaml~", ".graph.yaml.swp"] {
      _ = try folder.write("precious", to: other)
    }
    let child = try Visgraph.start("run", graph, "--host", "clock", "--for", "600", "--no-watch")
    let port = try child.controlPort()
    let peer = try ControlPeer(port)
    for (address, value) in settings { try peer.send("/visgraph/node/\(address)", .float(Float(value))) }
    let ending = try Visgraph.run("save", "\(port)")
    // The command may have ended before the file is written.
    #expect(poll { bytes(of: graph) != Data(text.utf8) }, "\(ending.notes) \(child.notes)")
    child.signal(SIGTERM)
    #expect(child.exitCode() == 0)
    return (ending, String(decoding: try RegularFile.bytes(of: graph, most: 10_000), as: UTF8.self), folder)
  }

  @Test func `saving changes no other file, and keeps the byte order mark and the line ends`()
    throws
  {
    let text =
      "\u{FEFF}visgraph: 1\r\nnodes:\r\n  tone:\r\n    type: tone-source\r\n  meter: { type: meter }\r\nwires: [tone -> meter]\r\n"
    let (ending, saved, folder) = try saved(text, ("tone/level", -12))
    #expect(ending.code == 0, "\(ending.notes)")
    #expect(
      Array(saved.utf8)
        == Array(text.replacing("tone-source\r\n", with: "tone-source\r\n    level: -12 dB\r\n").utf8),
      "\(saved)")
    let names = Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
    #expect(names == ["graph.yaml", "graph.yaml.new", "graph.yaml~", ".graph.yaml.swp"])
    for name in names where name != "graph.yaml" {
      #expect(try String(contentsOfFile: folder.file(name), encoding: .utf8) == "precious", "\(name)")
    }
  }

  @Test func `settings of a node that loads a file are saved, also if other nodes are like it`() throws {
    let fire = "\(FileManager.default.currentDirectoryPath)/graphs/emitters/fire.yaml"
    let text = """
      visgraph: 1
      nodes:
        tone: { type: tone-source }
        meter: { type: meter }
        level: { type: meter-table }
        fire: { type: emitter, emitter: "\(fire)" }
        same: { like: fire }
        other: { like: fire, emitter: "\(fire)" }
        low: { like: level }
      wires: [tone -> meter -> level -> fire, level -> same, level -> other, meter -> low]

      """
    let (ending, saved, _) = try saved(
      text, ("fire/cells/ember/birthRate", 20), ("fire/birthRate", 2), ("level/minimum", -50))
    #expect(ending.code == 0, "\(ending.notes)")
    #expect(
      saved
        == text.replacing(
          "fire: { type: emitter, emitter: \"\(fire)\" }",
          with:
            "fire: { type: emitter, emitter: \"\(fire)\", set: { cells.ember.birthRate: 20 /s, birthRate: 2 } }"
        ).replacing("meter-table }", with: "meter-table, minimum: -50 dB }"), "\(saved)")
  }

  @Test func `settings without a place are reported with the reason, and the exit code shows it`() throws {
    let block =
      "visgraph: 1\nnodes:\n  tone: { type: tone-source }\n  gain:\n    type: gain\n    gain: >-\n      -3\n  meter: { type: meter }\nwires: [tone -> gain -> meter]\n"
    let (ending, saved, _) = try saved(block, ("gain/gain", -6), ("meter/release", 0.5), code: 1)
    #expect(ending.code == 1)
    #expect(
      ending.notes.contains("saved 1 setting into ")
        && ending.notes.contains("but no place there has gain.gain (it cannot be placed in the file)"),
      "\(ending.notes)")
    #expect(
      saved == block.replacing("meter: { type: meter }", with: "meter: { type: meter, release: 0.5 s }"))
  }
}
