import ArgumentParser
import Controls
import Graphs

/// The arguments of all subcommands that read a graph file.
struct GraphArguments: ParsableArguments {
  @Argument(
    help: "The graph file (YAML or JSON); - is standard input.",
    completion: .file(extensions: ["yaml", "yml", "json"]))
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

  var isStandardInput: Bool { graph == "-" }

  /// The origin from which the graph can be read again: its file or, for standard input, `source`, the text of the
  /// first read.
  func origin(_ source: SourceText) -> GraphSource {
    GraphSource(place: isStandardInput ? .text(source) : .file(graph), overrides: overrides)
  }

  /// The values of `--set`.
  var overrides: [Override] { self.set.compactMap { Override($0) } }

  /// Reads and checks the graph; with `anyFile` an emitter, fixture or cue file is accepted, too.
  func check(anyFile: Bool = false) -> CheckResult {
    let read: Result<SourceText, Diagnostic>
    if let fault = MistakenFile(graph)?.fault {
      read = .failure(fault)
    } else {
      read = isStandardInput ? SourceText.readStandardInput() : SourceText.read(path: graph)
    }
    let name = isStandardInput ? SourceText.standardInput : graph
    return Checker.complete.check(read, called: name, overrides, anyFile: anyFile)
  }

  /// Reads and checks the graph. Prints faults; throws exit code 2 if there are any.
  func load() throws -> CheckedGraph { try loadWithSource().graph }

  /// Reads and checks the graph as `load` does, and returns its source text, too.
  func loadWithSource() throws -> (graph: CheckedGraph, source: SourceText) {
    let checked = check()
    let text = DiagnosticText.text(checked)
    if !text.isEmpty { write(LogPriority.marked(text, .fault), to: 2) }
    guard let graph = checked.graph else { throw ExitCode.faulty }
    return (graph, checked.source)
  }
}
