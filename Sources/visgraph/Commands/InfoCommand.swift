import ArgumentParser
import Graphs
import Nodes

/// `visgraph info GRAPH`.
struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract:
      "Prints what a graph is, what it opens, and where each channel goes: the patch sheet of a show.",
    discussion: """
      Nothing is opened and nothing is sent. The number of a QLC+ channel is that of the file, which QLC+ makes of the \
      address; it shows one more.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json, csv
  }

  @OptionGroup var arguments: GraphArguments
  @Option(help: "How it is printed: text, json, or csv (the patch alone).") var format = Format.text

  func run() throws {
    let info = GraphInfo(try arguments.load())
    switch format {
    case .text: write(info.text, to: 1)
    case .json: write(info.json.text, to: 1)
    case .csv: write(info.csv, to: 1)
    }
  }
}
