import ArgumentParser
import Graphs

/// `visgraph check FILE`: a graph, an emitter file, a fixture file or a cue file.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Shows every fault of a graph, emitter, fixture or cue file; nothing when all is well.")

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  @OptionGroup var arguments: GraphArguments
  @Flag(name: .shortAndLong, help: "Prints that all is well, and how large the graph is.") var verbose = false
  @Option(help: "How faults are printed: text or json.") var format = Format.text

  /// The output of `-v` for a file without faults.
  private static func summary(_ checked: CheckResult) -> String {
    guard let graph = checked.graph else { return "fine" }
    let (nodes, wires) = (graph.nodes.count, graph.wires)
    return "fine: \(NumberFormat.count(nodes, "node")), \(NumberFormat.count(wires, "wire"))"
  }

  func run() throws {
    let checked = arguments.check(anyFile: true)
    switch format {
    case .text:
      write(DiagnosticText.text(checked), to: 2)
      if verbose, checked.faults.isEmpty { printResult(Self.summary(checked)) }
    case .json: printResult(checked.json.text)
    }
    if !checked.faults.isEmpty { throw ExitCode.faulty }
  }
}
