import ArgumentParser

/// The `visgraph` command.
@main
struct Command: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "visgraph",
    abstract: "Turns sound into light: levels per channel, to lighting rigs and visual tools.",
    discussion: """
      One text file, the graph, says how. Try: visgraph run graphs/stereo-sparks.yaml
      How it is written: visgraph help graphs

      Exit codes: 0 fine; 1 failed while running; 2 fault in the graph or its files; 64 wrong usage.
      """,
    version: "0.1.0",
    subcommands: [
      RunCommand.self, PlayCommand.self, RenderCommand.self, ImportCommand.self, CheckCommand.self,
      NodesCommand.self, ControlsCommand.self, SchemaCommand.self, HelpCommand.self,
    ])
}

extension Command {
  /// Begins. A word that is no command is told before its options are looked at, which are of no command then.
  static func main() {
    let commands = configuration.subcommands.compactMap { $0.configuration.commandName }
    let word = CommandLine.arguments.dropFirst().first ?? "help"
    if let unknown = UnknownCommand(word, among: commands) {
      exit(withError: ValidationError(unknown.sentence))
    }
    main(nil)
  }
}

extension ExitCode {
  /// Failed while running.
  static let failed = ExitCode(1)
  /// Fault in the graph or its files.
  static let faulty = ExitCode(2)
}
