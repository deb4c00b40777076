import ArgumentParser
import Controls
import Graphs

/// What every command takes that reads a graph file.
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

  /// Whether the graph comes from standard input.
  var isStandardInput: Bool { graph == "-" }

  /// Where the graph is read from again, once it was read as `source`.
  func origin(_ source: SourceText) -> GraphSource {
    GraphSource(place: isStandardInput ? .text(source) : .file(graph), overrides: overrides)
  }

  /// What `--set` sets.
  var overrides: [Override] { self.set.compactMap { Override($0) } }

  /// Checks the file, or what arrives at standard input; with `anyFile` it may also be an emitter file.
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

  /// Checks the file; prints what is wrong and gives up with exit code 2 if anything is.
  func load() throws -> CheckedGraph { try loadWithSource().graph }

  /// The same, with the text that it was read from.
  func loadWithSource() throws -> (graph: CheckedGraph, source: SourceText) {
    let checked = check()
    let text = DiagnosticText.text(checked)
    if !text.isEmpty { write(LogPriority.marked(text, .fault), to: 2) }
    guard let graph = checked.graph else { throw ExitCode.faulty }
    return (graph, checked.source)
  }
}
