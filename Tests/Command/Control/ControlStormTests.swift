import Foundation
import Glibc
import OSC
import TestSupport
import Testing

/// The control port under attack by tools/fuzz, in a network namespace of its own: a short run of what
/// `tools/fuzz control` does a million times.
@Suite(.serialized, .blocking) struct ControlStormTests {
  /// Attacks a show, and gives what was seen.
  private func attack(_ more: String...) throws -> (code: Int32?, lines: String) {
    let finds = try TemporaryFolder()
    let tools = projectFolder.appending(path: "tools/fuzz.d/control").path
    // What is slow here may be the machine.
    let child = try Child(
      [
        "\(tools)/alone", "python3", "-B", "\(tools)/fuzz.py", Visgraph.path,
        projectFolder.appending(path: "graphs/sounds").path, "--finds", finds.path, "--busy",
      ] + more)
    return (child.exitCode(within: 600), child.results + child.notes)
  }

  @Test func `4,000 hostile packets and streams from four addresses change only what they may`()
    throws
  {
    let (code, lines) = try attack("--packets", "4000", "--seed", "29")
    #expect(code == 0 && lines.contains("no faults"), "\(lines)")
    // It has looked at what it was to look at.
    #expect(lines.contains("4000 packets and streams (") && lines.contains("values looked at ("), "\(lines)")
  }

  /// Memory of its own that a program has, in MB.
  private func memory(_ child: Child) throws -> Double {
    let status = try String(contentsOfFile: "/proc/\(child.identity)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
    return try #require(Double(line.split(separator: " ")[1])) / 1024
  }

  @Test func `the memory of many particles is freed each time they are removed`() throws {
    let folder = try TemporaryFolder()
    let few =
      "visgraph: 1\nnodes: { tone: { type: tone-source, channels: 2 }, meter: { type: meter } }\nwires: [tone -> meter]\n"
    _ = try folder.write(
      """
      visgraph: 1
      nodes:
        tone: { type: tone-source, channels: 2 }
        meter: { type: meter }
        level: { type: meter-table }
        sparks: { type: emitter, limit: 100000, cells: { spark: { birthRate: 100000, lifetime: 100 } } }
      wires: [tone -> meter -> level -> sparks]

      """, to: "many.yaml")
    let child = try Visgraph.start(
      "run", try folder.write(few, to: "few.yaml"), "--host", "clock", "--no-watch")
    let peer = try ControlPeer(try child.controlPort())
    // What the start takes is taken once the show runs.
    #expect(try poll { try peer.faults().isEmpty })
    let start = try memory(child)
    for round in 1...4 {
      try peer.send("/visgraph/graph/load", .string("many.yaml"))
      #expect(try poll(within: 10) { try memory(child) > start + 15 }, "round \(round): \(child.notes)")
      try peer.send("/visgraph/graph/load", .string("few.yaml"))
      // The plan is freed a little later, behind the lights.
      var rest = 0.0
      let isBack = try poll {
        rest = try memory(child)
        return rest < start + 6
      }
      #expect(isBack, "round \(round): \(rest) MB, after \(start) at the start")
    }
    child.signal(SIGTERM)
    #expect(child.exitCode(within: 5) == 0, "\(child.notes)")
  }
}
