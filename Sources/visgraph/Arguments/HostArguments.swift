import ArgumentParser
import Controls
import Graphs
import Hosts

/// What every command takes that runs live.
struct HostArguments: ParsableArguments {
  @Option(help: "Who turns the crank: auto, jack (waits for a server) or clock (no sound server).")
  var host = RunCommand.HostKind.auto

  @Option(help: ArgumentHelp("The JACK server's name.", valueName: "name")) var server: String?

  @Option(help: ArgumentHelp("The JACK client's name.", valueName: "name")) var client: String?

  @Flag(name: .long, help: "Refuses to run under another client name when that one is taken.") var exactName =
    false

  @Flag(name: .long, help: "With --host jack: fails at once when no server answers.") var noWait = false

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("Ends after so long on the timeline: 90, 1:30, 250ms.", valueName: "time"))
  var length: TimeArgument?

  @Option(help: ArgumentHelp("Samples a cycle of the clock host, 1…8192.", valueName: "samples")) var cycle =
    256

  @Option(
    help: ArgumentHelp(
      "Where OSC messages are taken that control the show: a port of this machine, ADDRESS:PORT or [IPV6]:PORT, or off; "
        + "else 7770 or the next free one. Other machines are heard only with --allow.",
      valueName: "[address:]port|off"))
  var control: ControlOption?

  @Option(
    help: ArgumentHelp(
      "Who may control the show besides this machine: an address, a network such as 192.168.1.0/24, or any. May repeat.",
      valueName: "network|any"))
  var allow: [AllowOption] = []

  @Option(
    help: ArgumentHelp(
      "Adds a line to FILE for every message that comes to the control port, and for every one that is refused.",
      valueName: "file"))
  var logControl: String?

  @Flag(name: .shortAndLong, help: "Tells more.") var verbose = false

  @Flag(name: .shortAndLong, help: "Tells nothing but errors.") var quiet = false

  func validate() throws {
    try length?.check("--for", isLength: true)
    if !(1...8192).contains(cycle) { throw ValidationError("--cycle takes 1…8192 samples") }
    if let client, client.utf8.count > JackError.nameLimit || client.isEmpty || client.contains(":") {
      throw ValidationError("\(JackError.badName(client))")
    }
  }

  /// What a run needs to know of it.
  func options(
    client: String, folders: [String], control settings: ControlSettings = ControlSettings(),
    levels: String? = nil, watch: Bool = false
  ) throws -> LiveRun.Options {
    LiveRun.Options(
      host: host, server: server, client: client, exactName: exactName, waits: !noWait,
      length: length?.seconds,
      levels: levels, watch: watch, cycle: cycle, verbose: verbose, quiet: quiet,
      control: try settings.with(control, allow), logControl: logControl, folders: folders)
  }
}
