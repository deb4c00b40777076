import ArgumentParser
import Graphs
import Nodes

/// What every command takes that reads a graph file.
struct GraphArguments: ParsableArguments {
  @Argument(help: "The graph file (YAML or JSON).", completion: .file(extensions: ["yaml", "yml", "json"]))
  var graph: String

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Overrides a value of the graph's `values:`, or a setting of a node. May repeat.",
      valueName: "name=value | id.setting=value"))
  var set: [String] = []

  func validate() throws {
    for text in set where Override(text) == nil {
      throw ValidationError("--set \(text): write NAME=VALUE or ID.SETTING=VALUE")
    }
  }

  /// Where the graph is read from.
  var origin: GraphOrigin { GraphOrigin(place: .file(graph), overrides: set.compactMap { Override($0) }) }

  /// Checks the file.
  func check() -> Checked { origin.read(origin.overrides) }

  /// Checks the file, which may also be an emitter file.
  func checkAnyFile() -> Checked {
    Checker(Catalogue.full).checkAnyFile(path: graph, overrides: set.compactMap { Override($0) })
  }

  /// Checks the file; prints what is wrong and gives up with exit code 2 if anything is.
  func load() throws -> CheckedGraph { try loadWithSource().graph }

  /// The same, with the text that it was read from.
  func loadWithSource() throws -> (graph: CheckedGraph, source: SourceText) {
    let checked = check()
    let text = DiagnosticText.text(checked)
    if !text.isEmpty { write(text, to: 2) }
    guard let graph = checked.graph else { throw ExitCode.faulty }
    return (graph, checked.source)
  }
}
