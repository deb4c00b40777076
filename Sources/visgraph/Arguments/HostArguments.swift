import ArgumentParser
import Controls
import Glibc
import Graphs
import Hosts
import OSC

/// The arguments of all subcommands that run live.
struct HostArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What runs the engine: jack waits for a JACK server; clock is a timer, and needs no server; auto takes a JACK "
        + "server if one answers, otherwise a timer until one does."))
  var host = HostKind.auto

  @Option(help: ArgumentHelp("The JACK server's name.", valueName: "name")) var server: String?

  @Option(help: ArgumentHelp("The JACK client's name.", valueName: "name")) var client: String?

  @Flag(name: .long, help: "Refuses to run under another client name if that one is taken.") var exactName =
    false

  @Flag(
    name: .long,
    help: ArgumentHelp(
      "Does not wait for a JACK server that does not answer at the start: --host jack fails at once, --host auto "
        + "stays with the timer."))
  var noWait = false

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("Ends after so long on the timeline: 90, 1:30, 250ms.", valueName: "time"))
  var length: TimeArgument?

  @Option(help: ArgumentHelp("Samples a cycle of the clock host, 1…8192.", valueName: "samples")) var cycle =
    256

  @Option(
    help: ArgumentHelp(
      "Where OSC messages are taken that control the show: a port of this machine, ADDRESS:PORT or [IPV6]:PORT, "
        + "on (7770 or the next free one) or off; on by default. Other machines are heard only with --allow.",
      valueName: "[address:]port|on|off"))
  var control: ControlOption?

  @Option(
    defaultAsFlag: ViewOption(listen: .standard),
    help: ArgumentHelp(
      "Serves the pages for browsers: the stage at /, the desk at /desk. A port of this machine, ADDRESS:PORT or "
        + "[IPV6]:PORT, on (7780 or the next free one) or off; on if no value follows. It is off by default. Other "
        + "machines get them only with --allow.", valueName: "[address:]port|on|off"))
  var view: ViewOption?

  @Option(
    help: ArgumentHelp(
      "Who may control the show, and open its pages, besides this machine: an address, a network such as 192.168.1.0/24, or any. May repeat.",
      valueName: "network|any"))
  var allow: [AllowOption] = []

  @Option(
    help: ArgumentHelp(
      "A name by which the pages are opened besides those of this machine, such as that of a proxy. May repeat.",
      valueName: "name"))
  var viewName: [ViewNameOption] = []

  @Option(
    help: ArgumentHelp(
      "Adds a line to FILE for every message that comes to the control port, and for every one that is refused. A "
        + "message that finds no room there is reported, and leads to exit code 1.",
      valueName: "file"), completion: .file())
  var logControl: String?

  @Option(
    help: ArgumentHelp(
      "Records into FILE what the show is asked for by OSC, keys, media keys and pages, each with the place on the timeline "
        + "where it acted; `render --control FILE` gives the same again. A message that finds no room there is "
        + "reported, and leads to exit code 1.", valueName: "file.osc"),
    completion: .file(extensions: ["osc"]))
  var recordControl: String?

  @Option(
    help: ArgumentHelp(
      "Plays back what was recorded with --record-control, or a score of control messages made by hand; live "
        + "messages act as well.", valueName: "file.osc"),
    completion: .file(extensions: ["osc"]))
  var controlScore: String?

  @Option(
    help: ArgumentHelp(
      "Keeps the state of the show in FILE, and begins with it: settings that were changed live, the master, the "
        + "blackout, the positions of players. A state that is damaged or of another show is kept as FILE.1, and a "
        + "file that is no state is left as it is.",
      valueName: "file"),
    completion: .file())
  var state: String?

  @Option(
    help: ArgumentHelp(
      "The control port of a machine that runs the same graph as a spare: it gets the state of the show, and sends "
        + "while this one is silent. If it is sending at the start, the show begins with its state.",
      valueName: "address:port"))
  var spare: PairOption?

  @Option(
    help: ArgumentHelp(
      "The control port of the machine that this one is the spare of: follows its settings, scenes, cues and players, sends by "
        + "sACN with a priority 10 lower, and sends nothing else until that one has been silent for a second.",
      valueName: "address:port"))
  var spareOf: PairOption?

  @Flag(name: .shortAndLong, help: "Prints more.") var verbose = false

  @Flag(name: .shortAndLong, help: "Prints nothing but errors.") var quiet = false

  func validate() throws {
    try length?.check("--for", isLength: true)
    if recordControl != nil, controlScore != nil {
      throw ValidationError("--record-control and --control-score: a run records or plays back, not both")
    }
    if recordControl != nil || controlScore != nil, state != nil {
      throw ValidationError(
        "--state with a control score: a score begins where the graph file begins; leave --state out")
    }
    try checkPair()
    if let recordControl, !recordControl.hasSuffix(".osc") {
      throw ValidationError("--record-control \(recordControl): the name ends in .osc")
    }
    if !(1...8192).contains(cycle) { throw ValidationError("--cycle takes 1…8192 samples") }
    if let client, client.utf8.count > JackError.nameLimit || client.isEmpty || client.contains(":") {
      throw ValidationError("\(JackError.badName(client))")
    }
  }

  private func checkPair() throws {
    guard spare != nil || spareOf != nil else { return }
    if spare != nil, spareOf != nil {
      throw ValidationError("--spare and --spare-of: a run has a spare or is one, not both")
    }
    if recordControl != nil || controlScore != nil {
      throw ValidationError(
        "\(spare == nil ? "--spare-of" : "--spare") with a control score: a score is a show of one machine")
    }
  }

  private var pair: PairOptions? {
    if let spare { return PairOptions(isSpare: false, other: spare.endpoint, address: spare.address) }
    return spareOf.map { PairOptions(isSpare: true, other: $0.endpoint, address: $0.address) }
  }

  /// The options of a run: these arguments, with defaults of the graph.
  func options(
    client: String, folders: [String], control settings: ControlSettings = ControlSettings(),
    view pages: ViewSettings = ViewSettings(), levels: String? = nil, watch: Bool = false
  ) throws -> RunOptions {
    var pages = try pages.with(view?.listen, allow, "view")
    pages.names += viewName.map(\.name)
    let control = try settings.with(control?.listen, allow, "control")
    try pair?.check(control)
    return RunOptions(
      host: host, server: server, client: client, exactName: exactName, waits: !noWait,
      length: length?.seconds,
      levels: levels, watch: watch, cycle: cycle, verbose: verbose, quiet: quiet,
      control: control,
      view: pages,
      logControl: logControl, recordControl: recordControl,
      controlScore: try controlScore.map { try ControlScore.given($0, "--control-score") }, state: state,
      pair: pair,
      folders: folders)
  }
}

extension ControlScore {
  /// Reads the score at `path`, the value of `option`. Prints a note if the file is cut off; prints the fault and
  /// throws exit code 2 if it is invalid.
  static func given(_ path: String, _ option: String) throws -> ControlScore {
    do {
      let score = try ControlScore(path: path)
      if let torn = score.torn {
        let last = NumberFormat.seconds(score.entries.last?.seconds ?? 0)
        printNote(
          "visgraph: \(option) \(DisplayedText.safe(path)): \(torn); what is whole counts, until \(last) s")
      }
      return score
    } catch {
      printNote("visgraph: \(option) \(DisplayedText.safe(path)): \(DisplayedText.safe("\(error)"))", .fault)
      throw ExitCode.faulty
    }
  }
}

extension HostKind: ExpressibleByArgument {}

/// The value of `--control`: a port, `ADDRESS:PORT`, `on` or `off`.
struct ControlOption: ExpressibleByArgument {
  let listen: ListenPlace

  init?(argument: String) {
    guard let listen = ListenPlace(option: argument) else { return nil }
    self.listen = listen
  }
}

/// The value of `--view`: a port, `ADDRESS:PORT`, `on` or `off`.
struct ViewOption: ExpressibleByArgument, CustomStringConvertible {
  let listen: ListenPlace

  init(listen: ListenPlace) { self.listen = listen }

  init?(argument: String) {
    guard let listen = ListenPlace(option: argument) else { return nil }
    self.listen = listen
  }

  /// The default value in the help.
  var description: String { "on" }
}

/// The value of `--view-name`: a host name or an address.
struct ViewNameOption: ExpressibleByArgument {
  let name: String

  init?(argument: String) {
    guard ViewSettings.isName(argument) else { return nil }
    name = argument
  }
}

extension ListenPlace {
  fileprivate init?(option text: String) {
    switch text {
    case "on": self = .standard
    case "off": self = .off
    default:
      guard let address = try? ListenAddress(text) else { return nil }
      self = .at(address)
    }
  }
}

/// The value of `--allow`: an address, a network, or `any`.
struct AllowOption: ExpressibleByArgument {
  /// The machines that may connect; nil: `any`.
  let network: Network?

  init?(argument: String) {
    if argument == "any" {
      network = nil
    } else if let network = try? Network(argument) {
      self.network = network
    } else {
      return nil
    }
  }
}

extension ListenSettings {
  /// The graph's settings, overridden by the command line's. `option` is the name of the option.
  ///
  /// Throws if other machines could connect and no `--allow` says which may.
  func with(_ listen: ListenPlace?, _ allow: [AllowOption], _ option: String) throws -> Self {
    var settings = self
    if let listen { settings.listen = listen }
    if !allow.isEmpty {
      let networks = allow.compactMap(\.network)
      settings.allow = networks.count < allow.count ? .any : .networks(networks)
    }
    if let open = settings.openToAll {
      throw ValidationError(
        """
        --\(option) \(open): other machines reach it there, and nothing says who may; add --allow with an address or \
        a network, such as --allow 192.168.1.0/24, or --allow any for all machines [\(option)-open]
        """)
    }
    return settings
  }
}
