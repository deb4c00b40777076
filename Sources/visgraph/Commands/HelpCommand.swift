import ArgumentParser

/// `visgraph help [SUBCOMMAND | TOPIC]`: what ArgumentParser knows of a subcommand, or a chapter of the guide.
struct HelpCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "help",
    abstract: "Explains a subcommand, or a topic of the graph language.",
    discussion:
      "Topics are the chapters of graphs/GRAPHS.md, and the words of its headings; `help graphs` names them.")

  @Argument(help: "A subcommand or a topic.", completion: .list(names + Guide.own.chapters)) var topic:
    String?

  private static var names: [String] { Command.configuration.subcommands.map { $0._commandName } }

  func run() throws {
    guard let topic else { return write(Command.helpMessage() + "\n", to: 1) }
    let subcommands = Command.configuration.subcommands
    if let subcommand = subcommands.first(where: { $0._commandName == topic }) {
      return write(Command.helpMessage(for: subcommand) + "\n", to: 1)
    }
    guard let found = Guide.own.topic(topic) else {
      throw ValidationError(
        "there is no subcommand and no topic \(topic); topics are: \(Guide.own.chapters.joined(separator: ", "))"
      )
    }
    write(GuideText(found).text, to: 1)
    if found.level == 1 { printResult("\nTopics: \(Guide.own.chapters.joined(separator: ", "))") }
  }
}
