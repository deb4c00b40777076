import ArgumentParser
import Glibc
import Graphs
import System

/// The root command, `visgraph`.
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
    version: ProgramVersion.text,
    subcommands: [
      RunCommand.self, PlayCommand.self, SessionCommand.self, RenderCommand.self, JoinCommand.self,
      MeasureCommand.self,
      ImportCommand.self, CheckCommand.self,
      InfoCommand.self,
      NodesCommand.self, ControlsCommand.self, SchemaCommand.self, StatusCommand.self,
      SendCommand.self, SaveCommand.self, RelayCommand.self, HelpCommand.self,
    ])

  /// Runs the program: parses the arguments, runs the subcommand, and ends the process.
  static func main() {
    // Arguments are read as bytes, because file names need not be UTF-8, and before keys are masked.
    let arguments = Array(ProcessArguments.all.dropFirst())
    CommandLineSecrets.cover(CommandLineSecrets.given(in: CommandLine.arguments))
    StopSignals.hold()
    Descriptor.openStandardFiles()
    // A session manager starts programs by their name alone.
    let isSession = arguments.isEmpty && environment()["NSM_URL"] != nil
    let code = perform(isSession ? ["session"] : arguments)
    guard code == 0 else { Glibc.exit(code) }
    StandardOutput.close()
  }

  /// Carries out a command line and prints its errors; returns the exit code.
  static func perform(_ arguments: [String]) -> Int32 {
    do {
      // Reports an unknown command before its options are parsed, because errors about these would hide it.
      let commands = configuration.subcommands.compactMap { $0.configuration.commandName }
      if let unknown = UnknownCommand(arguments.first ?? "help", among: commands) {
        throw ValidationError(unknown.message)
      }
      var command = try parseAsRoot(arguments)
      if CommandContext.current.takesSignals, !(command is any HandlesSignals) { StopSignals.unblock() }
      try command.run()
      return 0
    } catch {
      let code = exitCode(for: error)
      let text = fullMessage(for: error)
      // Help and the version are results, so they go to standard output.
      if !text.isEmpty { write(text + "\n", to: code == .success ? 1 : 2) }
      return code.rawValue
    }
  }
}

/// `visgraph help [SUBCOMMAND | TOPIC]`: the help of a subcommand from ArgumentParser, or a chapter of the guide.
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

/// A first argument that names no command. [control]
struct UnknownCommand {
  /// The error message, with the command that was probably meant.
  let message: String

  /// Nil if the word is a command or an option.
  init?(_ word: String, among commands: [String]) {
    guard !word.hasPrefix("-"), !commands.contains(word) else { return nil }
    var status = stat()
    let shown = DisplayedText.safe(word)
    if let file = MistakenFile(word) {
      message = "\(shown) is \(file.noun), and a command comes first: \(file.command)"
    } else if stat(word, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      message = "\(shown) is a folder, and a command comes first: visgraph play \(ShellQuoting.quoted(word))"
    } else {
      let meant = nearestWord(to: word, among: commands).map { "; did you mean \($0)?" } ?? ""
      message = "there is no command \(shown)\(meant) (commands: \(commands.joined(separator: ", ")))"
    }
  }
}
