import ArgumentParser
import Graphs
import Nodes

/// `visgraph schema`.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Prints the JSON schema of graph files, or of emitter files, for editors.")

  @Flag(help: "Prints the schema of emitter files.") var emitter = false

  func run() throws {
    let schema = emitter ? GraphSchema.settingsFile(.full) : GraphSchema.json(.full)
    if let schema { printResult(schema.text) }
  }
}
