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
      On a terminal it shows what is played and takes keys: ? tells them all, / chooses a track. Elsewhere it tells what \
      changes and ends when all has been played. Without AUDIO it opens your music folder.

      Text at standard input is a list, a path a line or a whole playlist; anything else is one audio file, read to \
      its end first:
        find . -name '*.flac' | sort | visgraph play -
        curl -s https://example.org/song.ogg | visgraph play -
      """)

  /// What is played again.
  enum RepeatMode: String, ExpressibleByArgument, CaseIterable {
    case off, one, all
  }

  /// What the player has to do with JACK's transport.
  enum Transport: String, ExpressibleByArgument, CaseIterable {
    case own, follow, lead
  }

  @Argument(
    help: "Audio files, folders, playlists (M3U, PLS, XSPF); - is standard input: a list, or a sound.",
    completion: .file()) var audio: [String] = []

  @Flag(help: "Plays in an order by chance.") var shuffle = false

  @Option(help: ArgumentHelp("Shuffles; the same number gives the same order.", valueName: "number"))
  var seed: Int?

  @Option(name: .customLong("repeat"), help: "What is played again: off, one (the track) or all.") var again =
    RepeatMode.off

  @Option(help: ArgumentHelp("How often all starts again, 0…1000000, or `forever`.", valueName: "n"))
  var loop: String?

  @Option(help: ArgumentHelp("How fast, 0.5…2; the pitch stays.", valueName: "rate")) var rate = 1.0

  @Flag(help: "The pitch goes with the rate, as on a tape.") var varispeed = false

  @Option(help: ArgumentHelp("How loud, 0…1.", valueName: "volume")) var volume = 1.0

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Between left (-1) and right (1).", valueName: "place"))
  var pan = 0.0

  @Option(help: ArgumentHelp("Where the first track begins: 83, 1:23, 90s.", valueName: "time"))
  var start: TimeArgument?

  @Option(help: ArgumentHelp("Plays from here to --to or the end, again and again.", valueName: "time"))
  var from: TimeArgument?

  @Option(
    help: ArgumentHelp("Plays from --from or the beginning to here, again and again.", valueName: "time"))
  var to: TimeArgument?

  @Option(help: "What it has to do with JACK's transport: own (nothing), follow or lead.") var transport =
    Transport.own

  @Flag(help: "Does not play until it is told to.") var paused = false

  @Flag(help: "Begins with choosing a track.") var pick = false

  @OptionGroup var live: HostArguments

  func validate() throws {
    if !(0.5...2).contains(rate) { throw ValidationError("--rate takes 0.5…2") }
    if !(0...1).contains(volume) { throw ValidationError("--volume takes 0…1") }
    if !(-1...1).contains(pan) { throw ValidationError("--pan takes -1…1") }
    if let loop, loop != "forever", Int(loop).map({ (0...1_000_000).contains($0) }) != true {
      throw ValidationError("--loop takes 0…1000000 or forever")
    }
    if let seed, !(0...9_007_199_254_740_991).contains(seed) {
      throw ValidationError("--seed takes 0…2⁵³ − 1")
    }
    try start?.check("--start")
    try from?.check("--from")
    try to?.check("--to")
    if let from = from?.seconds, let to = to?.seconds, from >= to {
      throw ValidationError("--from takes a time before that of --to")
    }
    if audio.isEmpty, !PlayerScreen.isPossible(environment()) {
      throw ValidationError("name audio files, folders or playlists; without a terminal none can be chosen")
    }
  }

  func run() throws {
    let stop = StopSignals.ofShow()
    var arguments = audio
    if arguments.isEmpty {
      guard let folder = MusicFolder.path(environment()) else {
        throw ValidationError("there is no music folder: name audio files, folders or playlists")
      }
      arguments = [folder]
    }
    // Who names a graph here wants another command; the rest is played.
    arguments.removeAll { path in
      guard path != "-", let note = MistakenFile(path)?.note else { return false }
      printNote("visgraph: \(DisplayedText.safe(note))")
      return true
    }
    if arguments.isEmpty { throw ExitCode.faulty }
    let (tracks, skipped) = Playback.tracks(of: arguments, isStandardInput: true)
    for fault in skipped { printNote("visgraph: \(DisplayedText.safe(fault.message))") }
    guard !tracks.isEmpty else {
      printNote("visgraph: there is nothing to play")
      throw ExitCode.faulty
    }
    let picks = pick || audio.isEmpty
    let holds = paused || picks
    let files = tracks.map(\.path)
    // A graph has room for so many files; more are loaded once it runs. And where it begins it goes before anything is
    // heard.
    let isWhole = files.count <= PlayGraph.mostFiles
    var beginning: [PlayerCommand] = isWhole ? [] : [.load(files)]
    if let start = start?.seconds { beginning.append(.seek(start)) }
    if !beginning.isEmpty, !holds { beginning.append(.play) }
    let text = PlayGraph(
      files: Array(files.prefix(PlayGraph.mostFiles)), channels: PlayChannels.most(of: files),
      settings: settings(holds: holds || !beginning.isEmpty)
    ).text
    let source = SourceText(path: "visgraph play", text: text)
    let origin = GraphSource(place: .text(source))
    let checked = origin.read([])
    guard let graph = checked.graph else {
      write(DiagnosticText.text(checked), to: 2)
      throw ExitCode.faulty
    }
    // What control messages load lies beside what was named.
    var options = try live.options(client: live.client ?? "visgraph", folders: arguments.map(Self.folder))
    options.frontEnd = PlayFrontEnd(tracks, picks: picks, beginning: beginning)
    do {
      try LiveRun(graph, source: source, origin: origin, file: nil, options: options, stop: stop).perform()
    } catch let fault as LiveRun.RunError {
      printNote("visgraph: \(fault)")
      throw fault.isOfGraph ? ExitCode.faulty : ExitCode.failed
    }
  }

  /// How the player begins.
  private func settings(holds: Bool) -> [(name: String, value: String)] {
    PlaySettings(
      holds: holds, loop: loop, rate: rate, hasVarispeed: varispeed, volume: volume, pan: pan,
      from: from?.seconds,
      to: to?.seconds, again: again.rawValue,
      shuffle: shuffle || seed != nil ? seed ?? Int.random(in: 1..<1_000_000) : nil,
      transport: transport.rawValue
    ).pairs
  }

  /// A folder itself, else that of a file.
  private static func folder(_ path: String) -> String {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return path }
    return path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
  }
}
