import ArgumentParser
import Graphs
import Nodes

/// `visgraph schema`.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "Prints the JSON schema of graph files, for editors.")

  func run() throws { printResult(GraphSchema.json(Catalogue.full).text) }
}
