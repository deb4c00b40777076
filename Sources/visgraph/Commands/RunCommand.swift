import ArgumentParser
import Controls
import Glibc
import Graphs
import Hosts
import Nodes

/// `visgraph run GRAPH`.
struct RunCommand: HandlesSignals {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Runs a graph live: plays or listens, measures, sends.",
    discussion: """
      With --host auto a JACK server is used if one answers, else a timer runs the engine at the rate of the first \
      file until one does, which then goes on where the timer is; --no-wait keeps the timer, --host clock asks for no \
      server. SIGHUP reloads the graph, or ends it when it comes because the terminal has gone; SIGINT and SIGTERM \
      end it within a second, lights out. On a terminal it shows the state of the show and takes keys: \
      \(ScreenKey.summary); all others play the sounds that have them.
      """)

  @OptionGroup var arguments: GraphArguments

  @OptionGroup var live: HostArguments

  @Option(
    help: ArgumentHelp(
      "Writes the levels of every frame: FILE ends in .csv or .jsonl. Up to 16 MB of rows wait for a slow disk or "
        + "reader; rows beyond that are left out and reported, and lead to exit code 1.", valueName: "file"),
    completion: .file(extensions: ["csv", "jsonl"]))
  var levels: String?

  @Flag(inversion: .prefixedNo, help: "Reloads the graph when its file changes; by default on a terminal.")
  var watch: Bool?

  func validate() throws {
    if let levels, LevelsFile.layout(of: levels) == nil {
      throw ValidationError("--levels \(levels): the name ends in .csv or .jsonl")
    }
  }

  func run() throws {
    let stop = try StopSignals.ofShow()
    // Standard input can be read only once; it is neither watched nor reloaded.
    var file = arguments.isStandardInput ? nil : FileWatch(arguments.graph)
    let (graph, source) = try arguments.loadWithSource()
    file?.follow(graph.files)
    let options = try live.options(
      client: live.client ?? graph.client ?? "visgraph", folders: [graph.folder], control: graph.control,
      view: graph.view,
      levels: levels,
      watch: watch ?? (isatty(2) != 0))
    do {
      try LiveRun(
        graph, source: source, origin: arguments.origin(source), file: file, options: options, stop: stop
      ).perform()
    } catch let fault as RunError {
      printNote("visgraph: \(fault)", .fault)
      throw fault.isOfGraph ? ExitCode.faulty : ExitCode.failed
    }
  }
}
