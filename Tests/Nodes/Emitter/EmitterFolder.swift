import Glibc
import Graphs
import TestSupport
import Testing

@testable import Nodes

private let sparks = """
  visgraph-emitter: 1
  name: Sparks
  author: Anna Blum
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

/// A folder with a graph and emitter files.
struct EmitterFolder {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    mkdir(folder.file("emitters"), 0o755)
    _ = try folder.write(sparks, to: "emitters/sparks.yaml")
  }

  /// A graph with `faders` wired to a node `sparks`; `entries` follow the wires.
  func graph(_ nodes: String, _ entries: String = "", fps: String = "60") -> String {
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
    \(entries)
    """
  }

  func check(_ text: String, set: [String] = []) throws -> CheckResult {
    let path = try folder.write(text, to: "graph.yaml")
    let overrides = try set.map { try #require(Override($0), "\($0)") }
    return Checker(emitterCatalog).check(path: path, overrides: overrides)
  }

  /// The text of the diagnostics, without the path of the folder.
  func diagnosticText(_ checked: CheckResult) -> String {
    DiagnosticText.text(checked).split(separator: folder.path + "/", omittingEmptySubsequences: false)
      .joined()
  }

  func settings(_ checked: CheckResult, _ id: String = "sparks") throws -> PerChannel<Emitter.Settings> {
    let graph = try #require(checked.graph, "\(DiagnosticText.text(checked))")
    let node = try #require(graph.nodes.first { $0.id == id })
    return try #require(node.settings(of: Emitter.self))
  }
}
