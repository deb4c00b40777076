import ArgumentParser
import Controls
import Glibc
import Graphs
import Hosts

/// `visgraph run GRAPH`.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Runs a graph live: plays or listens, measures, sends.",
    discussion: """
      With --host auto a JACK server is used if one answers, else a timer turns the crank at the rate of the first file. \
      SIGHUP reloads the graph; SIGINT and SIGTERM end it within a second, lights out.
      """)

  /// Who turns the crank.
  enum HostKind: String, ExpressibleByArgument, CaseIterable {
    case auto, jack, clock
  }

  @OptionGroup var arguments: GraphArguments

  @Option(help: "Who turns the crank: auto, jack (waits for a server) or clock (no sound server).")
  var host = HostKind.auto

  @Option(help: ArgumentHelp("The JACK server's name.", valueName: "name")) var server: String?

  @Option(help: ArgumentHelp("The JACK client's name.", valueName: "name")) var client: String?

  @Flag(name: .long, help: "Refuses to run under another client name when that one is taken.") var exactName =
    false

  @Flag(name: .long, help: "With --host jack: fails at once when no server answers.") var noWait = false

  @Option(
    name: .customLong("for"), help: ArgumentHelp("Ends after so long on the timeline.", valueName: "seconds"))
  var length: Double?

  @Option(
    help: ArgumentHelp("Writes the levels of every frame: FILE ends in .csv or .jsonl.", valueName: "file"))
  var levels: String?

  @Flag(inversion: .prefixedNo, help: "Reloads the graph when its file changes; on by itself on a terminal.")
  var watch: Bool?

  @Option(help: ArgumentHelp("Samples a cycle of the clock host, 1…8192.", valueName: "samples")) var cycle =
    256

  @Option(
    help: ArgumentHelp(
      "Where OSC messages are taken that control the show: a port of 127.0.0.1, or off; else 7770 or the next free one.",
      valueName: "port|off"))
  var control: ControlOption?

  @Flag(name: .shortAndLong, help: "Tells more.") var verbose = false

  @Flag(name: .shortAndLong, help: "Tells nothing but errors.") var quiet = false

  func validate() throws {
    if let length, !(length > 0 && length < 1e8) {
      throw ValidationError("--for takes seconds above 0, less than 100000000")
    }
    if let levels, LevelsFile.layout(of: levels) == nil {
      throw ValidationError("--levels \(levels): the name ends in .csv or .jsonl")
    }
    if !(1...8192).contains(cycle) { throw ValidationError("--cycle takes 1…8192 samples") }
    if let client, client.utf8.count > JackError.nameLimit || client.isEmpty || client.contains(":") {
      throw ValidationError("\(JackError.badName(client))")
    }
  }

  func run() throws {
    var file = FileWatch(arguments.graph)
    let (graph, source) = try arguments.loadWithSource()
    file.follow(graph.files)
    let options = LiveRun.Options(
      host: host, server: server, client: client ?? graph.client ?? "visgraph", exactName: exactName,
      waits: !noWait, length: length, levels: levels, watch: watch ?? (isatty(2) != 0), cycle: cycle,
      verbose: verbose, quiet: quiet, control: control?.choice ?? .standard, folders: [graph.folder])
    do {
      try LiveRun(
        graph, source: source, origin: arguments.origin, file: file, options: options
      ).perform()
    } catch let fault as LiveRun.Fault {
      printNote("visgraph: \(fault)")
      throw fault.isOfGraph ? ExitCode.faulty : ExitCode.failed
    }
  }
}
