import ArgumentParser

/// The `visgraph` command.
@main
struct Command: ParsableCommand {
  /// The program's, as `--version` prints it.
  static let version = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "visgraph",
    abstract: "Turns sound into light: levels per channel, to lighting rigs and visual tools.",
    discussion: """
      One text file, the graph, says how. Try: visgraph run graphs/stereo-sparks.yaml
      How it is written: visgraph help graphs

      Exit codes: 0 fine; 1 failed while running; 2 fault in the graph or its files; 64 wrong usage.
      """,
    version: version,
    subcommands: [
      RunCommand.self, PlayCommand.self, RenderCommand.self, ImportCommand.self, CheckCommand.self,
      NodesCommand.self, ControlsCommand.self, SchemaCommand.self, StatusCommand.self,
      SendCommand.self, HelpCommand.self,
    ])

  /// From the process's first moment to its last.
  static func main() {
    StopSignals.hold()
    StandardFiles.open()
    // A word that is no command is told before its options are looked at, which are of no command then.
    let commands = configuration.subcommands.compactMap { $0.configuration.commandName }
    if let unknown = UnknownCommand(CommandLine.arguments.dropFirst().first ?? "help", among: commands) {
      exit(withError: ValidationError(unknown.sentence))
    }
    do {
      var command = try parseAsRoot()
      if !(command is any EndsInItsOwnWay) { StopSignals.letGo() }
      try command.run()
    } catch {
      guard exitCode(for: error) == .success else { exit(withError: error) }
      // Help, or the version: results like any other.
      let text = fullMessage(for: error)
      if !text.isEmpty { printResult(text) }
    }
    StandardFiles.close()
  }
}

/// A command that sees to SIGINT and SIGTERM itself; the others end by them at once.
protocol EndsInItsOwnWay: ParsableCommand {}

extension ExitCode {
  /// Failed while running.
  static let failed = ExitCode(1)
  /// Fault in the graph or its files.
  static let faulty = ExitCode(2)
}
