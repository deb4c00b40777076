import ArgumentParser
import Graphs

/// `visgraph check GRAPH`, or an emitter file.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Shows every fault of a graph file or an emitter file; nothing when all is well.")

  /// How faults are printed.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  @OptionGroup var arguments: GraphArguments
  @Option(help: "How faults are printed: text or json.") var format = Format.text

  func run() throws {
    let checked = arguments.checkAnyFile()
    switch format {
    case .text: write(DiagnosticText.text(checked), to: 2)
    case .json: printResult(checked.json.text)
    }
    if !checked.faults.isEmpty { throw ExitCode.faulty }
  }
}
