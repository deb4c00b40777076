import ArgumentParser
import Glibc
import Graphs
import Nodes
import Playback

/// `visgraph play AUDIO…`.
struct PlayCommand: HandlesSignals {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Plays audio files, folders and playlists, with a meter for every channel.",
    discussion: """
      On a terminal it shows what is played and takes keys: ? lists them all, / chooses a track. Elsewhere it prints \
      what changes, and ends when all has been played. Without AUDIO it opens your music folder.

      Text at standard input is a list, a path a line or a whole playlist; anything else is one audio file, read to \
      its end first:
        find . -name '*.flac' | sort | visgraph play -
        curl -s https://example.org/song.ogg | visgraph play -
      """)

  private static let usual = PlayerSettings()

  @Argument(
    help:
      "Audio files, folders, playlists (M3U, PLS, XSPF, CUE sheets); - is standard input: a list, or a sound.",
    completion: .file()) var audio: [String] = []

  @Flag(help: "Plays in a random order, another one every time.") var shuffle = false

  @Option(help: ArgumentHelp("\(PlayerParameters.shuffle.help)", valueName: "number"))
  var seed: Int?

  @Option(PlayerParameters.again) var again = usual.repeatMode

  @Option(
    name: .customLong(PlayerParameters.loop.name),
    help: ArgumentHelp(PlayerParameters.loop.optionHelp, valueName: "n"))
  var loop: String?

  @Option(PlayerParameters.rate) var rate = usual.rate

  @Flag(help: "Changes the pitch with the rate, as on a tape; otherwise it stays.")
  var varispeed = false

  @Option(PlayerParameters.volume) var volume = Double(usual.volume)

  @Option(PlayerParameters.pan) var pan = Double(usual.pan)

  @Option(help: ArgumentHelp("Where the first track begins: 83, 1:23, 90s.", valueName: "time"))
  var start: TimeArgument?

  @Option(help: ArgumentHelp("Plays from here to --to or the end, again and again.", valueName: "time"))
  var from: TimeArgument?

  @Option(
    help: ArgumentHelp("Plays from --from or the beginning to here, again and again.", valueName: "time"))
  var to: TimeArgument?

  @Option(PlayerParameters.replayGain, name: "replay-gain") var replayGain = usual.replayGain

  @Option(PlayerParameters.transport) var transport = usual.transport

  @Flag(help: "Does not play until a key or a command starts it.") var paused = false

  @Flag(help: "Begins with the choice of a track.") var pick = false

  @OptionGroup var live: HostArguments

  func validate() throws {
    try PlayerParameters.rate.check(rate)
    try PlayerParameters.volume.check(volume)
    try PlayerParameters.pan.check(pan)
    if let loop, loop != Loop.endless {
      try PlayerParameters.loop.check(Int(loop).map(Double.init), or: Loop.endless)
    }
    if let seed { try PlayerParameters.shuffle.check(Double(seed), option: "seed") }
    try start?.check("--start")
    try from?.check("--from")
    try to?.check("--to")
    for (option, time) in [("from", from), ("to", to)] {
      if let time { try PlayerParameters.section.check(time.seconds, option: option) }
    }
    if let from = from?.seconds, let to = to?.seconds, from >= to {
      throw ValidationError("--from takes a time before that of --to")
    }
    if audio.isEmpty, !PlayerScreen.isPossible(environment()) {
      throw ValidationError("name audio files, folders or playlists; without a terminal none can be chosen")
    }
  }

  func run() throws {
    let stop = try StopSignals.ofShow()
    var arguments = audio
    if arguments.isEmpty {
      guard let folder = MusicFolder.path(environment()) else {
        throw ValidationError("there is no music folder: name audio files, folders or playlists")
      }
      arguments = [folder]
    }
    // A graph file needs another command, which the note names; the other arguments are played.
    arguments.removeAll { path in
      guard path != "-", let note = MistakenFile(path)?.note else { return false }
      printNote("visgraph: \(DisplayedText.safe(note))")
      return true
    }
    if arguments.isEmpty { throw ExitCode.faulty }
    let (tracks, skipped) = listedTracks(of: arguments, isStandardInput: true)
    for fault in skipped { printNote("visgraph: \(DisplayedText.safe(fault.message))") }
    guard !tracks.isEmpty else {
      printNote("visgraph: there is nothing to play", .fault)
      throw ExitCode.faulty
    }
    let picks = pick || audio.isEmpty
    let holds = paused || picks
    let files = tracks.map(\.path)
    // A graph holds `mostFiles` files; a longer list is loaded once the graph runs. The start position is sought before
    // the player is heard.
    let isWhole = files.count <= PlayerParameters.mostFiles
    var beginning: [PlayerCommand] = isWhole ? [] : [.load(files)]
    if let start = start?.seconds { beginning.append(.seek(start)) }
    if !beginning.isEmpty, !holds { beginning.append(.play) }
    let text = PlayGraph(
      files: Array(files.prefix(PlayerParameters.mostFiles)), channels: PlayChannels.most(of: files),
      settings: settings(holds: holds || !beginning.isEmpty)
    ).text
    let source = SourceText(path: "visgraph play", text: text)
    let origin = GraphSource(place: .text(source))
    let checked = origin.read([])
    guard let graph = checked.graph else {
      write(DiagnosticText.text(checked), to: 2)
      throw ExitCode.faulty
    }
    // Control messages may load files from the folders of the arguments.
    var options = try live.options(client: live.client ?? "visgraph", folders: arguments.map(Self.folder))
    options.frontEnd = PlayFrontEnd(tracks, picks: picks, beginning: beginning)
    do {
      try LiveRun(graph, source: source, origin: origin, file: nil, options: options, stop: stop).perform()
    } catch let fault as RunError {
      printNote("visgraph: \(fault)", .fault)
      throw fault.isOfGraph ? ExitCode.faulty : ExitCode.failed
    }
  }

  /// The player's settings at the start.
  private func settings(holds: Bool) -> PlayerSettings {
    var settings = Self.usual
    settings.plays = !holds
    if let loop { settings.loop = Loop(repetitions: Int(loop)) }
    settings.rate = rate
    settings.pitch = varispeed ? .varispeed : .kept
    settings.volume = Float(volume)
    settings.pan = Float(pan)
    if from != nil || to != nil {
      settings.section = (from?.seconds ?? 0)...(to?.seconds ?? PlayerParameters.section.range.upperBound)
    }
    if shuffle || seed != nil { settings.shuffle = UInt64(seed ?? Int.random(in: 1..<1_000_000)) }
    settings.repeatMode = again
    settings.replayGain = replayGain
    settings.transport = transport
    return settings
  }

  /// The path itself if it is a folder, else the folder of the file.
  private static func folder(_ path: String) -> String {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return path }
    return path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
  }
}

extension Option where Value == Double {
  /// An option for a numeric player parameter, with its name and help.
  fileprivate init(wrappedValue: Double, _ parameter: PlayerNumber) {
    // A negative number looks like an option.
    self.init(
      wrappedValue: wrappedValue, name: .customLong(parameter.name),
      parsing: parameter.range.lowerBound < 0 ? .unconditional : .next,
      help: ArgumentHelp(parameter.optionHelp, valueName: parameter.name))
  }
}

extension Option where Value: PlayerChoice & ExpressibleByArgument {
  /// An option for a player parameter that is a word, with its name and help.
  fileprivate init(wrappedValue: Value, _ parameter: PlayerWord<Value>, name: String? = nil) {
    self.init(
      wrappedValue: wrappedValue, name: .customLong(name ?? parameter.name),
      help: ArgumentHelp(parameter.optionHelp))
  }
}

extension PlayerNumber {
  /// The parameter's help with its range.
  fileprivate var optionHelp: String { "\(help.dropLast()) (\(span))." }

  /// Throws the option's range if the number is outside it.
  fileprivate func check(_ number: Double?, option: String? = nil, or word: String? = nil) throws {
    if let number, range.contains(number) { return }
    throw ValidationError("--\(option ?? name) takes \(span)\(word.map { " or \($0)" } ?? "")")
  }
}

extension PlayerWord {
  /// The parameter's help with its words.
  fileprivate var optionHelp: String {
    "\(help.dropLast()): " + Choice.allCases.map { "\($0.rawValue), \($0.help)" }.joined(separator: "; ")
      + "."
  }
}

extension PlayerCommand.RepeatMode: ExpressibleByArgument {}
extension PlayerSettings.Transport: ExpressibleByArgument {}
extension PlayerSettings.ReplayGain: ExpressibleByArgument {}
