import ArgumentParser
import Graphs
import Nodes
import Viewer

/// `visgraph schema`.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Prints the JSON schema of graph files, or of emitter or fixture files, for editors.")

  @Flag(help: "Prints the schema of emitter files.") var emitter = false
  @Flag(help: "Prints the schema of fixture files.") var fixture = false
  @Flag(help: ArgumentHelp("Prints the numbers that pages share with the program.", visibility: .hidden))
  var pages = false
  @Flag(help: ArgumentHelp("Prints the readers of records for pages.", visibility: .hidden))
  var readers = false
  @Flag(help: ArgumentHelp("Prints the writers of records for the playground.", visibility: .hidden))
  var writers = false
  @Option(
    help: ArgumentHelp(
      "Prints what the playground knows of emitters, and those of this graph.", valueName: "graph",
      visibility: .hidden))
  var playground: String?

  func run() throws {
    if let playground {
      let checked = Checker(.full).check(path: playground)
      guard let graph = checked.graph else { throw ValidationError(DiagnosticText.text(checked)) }
      return printResult(EmitterPlaces.json(graph).line)
    }
    if pages { return printResult(PageScript.text) }
    if readers { return printResult(RecordScript.readers) }
    if writers { return printResult(RecordScript.writers) }
    if fixture { return printResult(GraphSchema.fixtureFile().text) }
    let schema = emitter ? GraphSchema.settingsFile(.full) : GraphSchema.json(.full)
    if let schema { printResult(schema.text) }
  }
}
