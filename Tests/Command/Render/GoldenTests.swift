import Foundation
import Graphs
import Nodes
import TestSupport
import Testing

/// Graphs with what they must give, to the byte: in debug, in release, on any processor. `Tests/Golden` has some of
/// many nodes, and `Tests/Golden/nodes` one for every node type; `tools/generate --goldens` makes what is expected
/// anew.
@Suite(.blocking) struct GoldenTests {
  static let names = Golden.names(below: "Golden", ending: "/graph.yaml")

  /// How long a graph runs: those of a single node type are short.
  private static func seconds(_ name: String) -> Double { name.hasPrefix("nodes/") ? 1 : 3 }

  @Test(arguments: names)
  func `levels, packets, sound and particles are the golden ones at any cycle length`(name: String) throws {
    let folder = "\(Golden.folder)/Golden/\(name)"
    let first = try GoldenRun(folder: folder, seconds: Self.seconds(name), cycle: 256)
    for file in GoldenRun.kept {
      let found = try #require(first.files[file])
      let difference = try Golden.difference(of: "Golden/\(name)/\(file)", from: found)
      #expect(difference == nil, "\(file): \(difference ?? "")")
    }
    for cycle in [32, 127, 1000, 4096] {
      let other = try GoldenRun(folder: folder, seconds: Self.seconds(name), cycle: cycle)
      #expect(other.files == first.files, "\(cycle) samples a cycle")
    }
  }

  @Test(.enabled(if: !Golden.isRecording), arguments: names.filter { !$0.contains("/") })
  func `the command writes the same files`(name: String) throws {
    let out = try TemporaryFolder()
    let kept = "\(Golden.folder)/Golden/\(name)"
    let ending = try Visgraph.run(
      "render", "\(kept)/graph.yaml", "--for", "3", "-o", out.file("a.csv"), "-o", out.file("a.osc"))
    #expect(ending.code == 0 && ending.notes == "", "\(ending.notes)")
    #expect(firstDifference(bytes(of: "\(kept)/expected.csv"), bytes(of: out.file("a.csv"))) == nil)
    #expect(firstDifference(bytes(of: "\(kept)/expected.osc"), bytes(of: out.file("a.osc"))) == nil)
  }

  @Test func `every node type has a graph of its own`() throws {
    let types = Self.names.filter { $0.hasPrefix("nodes/") }.map { String($0.dropFirst(6)) }
    #expect(types == everyNode.map { $0.name }.sorted())
    for type in types {
      let graph = bytes(of: "\(Golden.folder)/Golden/nodes/\(type)/graph.yaml")
      #expect(String(decoding: graph, as: UTF8.self).contains(" type: \(type)"), "\(type)")
    }
  }
}
