import ArgumentParser
import Graphs
import Nodes

/// `visgraph nodes [TYPE]`.
struct NodesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nodes", abstract: "Lists the node types, or explains one: ports, settings, units, ranges.")

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json, markdown
  }

  @Argument(
    help: "A node type, or a topic of the guide such as stage; by default all types.",
    completion: .list(Catalog.full.names + Guide.own.chapters)) var type: String?
  @Option(help: "How it is printed: text, json or markdown.") var format = Format.text

  func run() throws {
    let catalog = Catalog.full
    guard let type else {
      switch format {
      case .text: write(NodeHelp.list(catalog), to: 1)
      case .json: printResult(Json.array(catalog.descriptions.map(\.json)).text)
      case .markdown: write(NodesReference.markdown(catalog), to: 1)
      }
      return
    }
    guard
      let description = catalog.descriptions.first(where: { $0.name == type || $0.aliases.contains(type) })
    else { return try explain(type, catalog) }
    switch format {
    case .json: printResult(description.json.text)
    case .text, .markdown: write(NodeHelp.text(description), to: 1)
    }
  }

  /// Explains a name that is no node type: settings of the graph's head, a topic of the guide, or both.
  private func explain(_ name: String, _ catalog: Catalog) throws {
    let settings = NodeHelp.head(name)
    let topic = Guide.own.topic(name)
    if settings == nil && topic == nil {
      throw ValidationError(
        "there is no node type \(name); there are: \(catalog.names.joined(separator: ", "))")
    }
    if let settings { write(settings + "\n", to: 1) }
    if let topic { write(GuideText(topic).text, to: 1) }
  }
}
