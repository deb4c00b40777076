import ArgumentParser
import Glibc
import Graphs
import Nodes
import Playback

/// `visgraph play AUDIO…`.
struct PlayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Plays audio files, folders and playlists, with a meter for every channel.",
    discussion: """
      On a terminal it shows what is played and takes keys: ? tells them all, / chooses a track. Elsewhere it tells what \
      changes and ends when all has been played. Without AUDIO it opens your music folder.
      """)

  /// What is played again.
  enum Again: String, ExpressibleByArgument, CaseIterable {
    case off, one, all
  }

  @Argument(help: "Audio files, folders, playlists (M3U, PLS, XSPF).", completion: .file()) var audio:
    [String] = []

  @Flag(help: "Plays in an order by chance.") var shuffle = false

  @Option(help: ArgumentHelp("Shuffles; the same number gives the same order.", valueName: "number"))
  var seed: UInt64?

  @Option(name: .customLong("repeat"), help: "What is played again: off, one (the track) or all.") var again =
    Again.off

  @Option(help: ArgumentHelp("How often a track starts again, or `forever`.", valueName: "n")) var loop:
    String?

  @Option(help: ArgumentHelp("How fast, 0.5…2; the pitch stays.", valueName: "rate")) var rate = 1.0

  @Flag(help: "The pitch goes with the rate, as on a tape.") var varispeed = false

  @Option(help: ArgumentHelp("How loud, 0…1.", valueName: "volume")) var volume = 1.0

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Between left (-1) and right (1).", valueName: "place"))
  var pan = 0.0

  @Option(help: ArgumentHelp("Where the first track begins: 83, 1:23.", valueName: "time")) var start:
    TimeOfTrack?

  @Option(help: ArgumentHelp("Plays from here to --to, again and again.", valueName: "time")) var from:
    TimeOfTrack?

  @Option(help: ArgumentHelp("Plays from --from to here, again and again.", valueName: "time")) var to:
    TimeOfTrack?

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
    if (from == nil) != (to == nil) { throw ValidationError("--from and --to belong together") }
    if let from, let to, from.seconds >= to.seconds {
      throw ValidationError("--from takes a time before that of --to")
    }
    if audio.isEmpty, !PlayerScreen.isPossible(environment()) {
      throw ValidationError("name audio files, folders or playlists; without a terminal none can be chosen")
    }
  }

  func run() throws {
    var arguments = audio
    if arguments.isEmpty {
      guard let folder = MusicFolder.path(environment()) else {
        throw ValidationError("there is no music folder: name audio files, folders or playlists")
      }
      arguments = [folder]
    }
    var limits = ListLimits()
    limits.tracks = PlayGraph.mostFiles
    let (tracks, skipped) = Playback.tracks(of: arguments, limits: limits)
    for fault in skipped { printNote("visgraph: \(DisplayedText.safe(fault.message))") }
    guard !tracks.isEmpty else {
      printNote("visgraph: there is nothing to play")
      throw ExitCode.faulty
    }
    let picks = pick || audio.isEmpty
    let holds = paused || picks
    // It goes there before anything is heard.
    let beginning = start.map { [PlayerCommand.seek($0.seconds)] + (holds ? [] : [.play]) } ?? []
    let origin = GraphOrigin(place: .text(source(tracks, holds: holds || start != nil)))
    let checked = origin.read([])
    guard let graph = checked.graph else {
      write(DiagnosticText.text(checked), to: 2)
      throw ExitCode.faulty
    }
    let companion = PlayCompanion(tracks, picks: picks, beginning: beginning)
    var options = live.options(client: live.client ?? "visgraph", folders: arguments.map(Self.folder))
    options.companion = companion
    do {
      try LiveRun(graph, source: checked.source, origin: origin, file: nil, options: options).perform()
    } catch let fault as LiveRun.Fault {
      printNote("visgraph: \(fault)")
      throw fault.isOfGraph ? ExitCode.faulty : ExitCode.failed
    }
  }

  /// The folder that an argument names, or in which it lies.
  private static func folder(of argument: String) -> String {
    var status = stat()
    if stat(argument, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return argument }
    guard let slash = argument.lastIndex(of: "/") else { return "." }
    return slash == argument.startIndex ? "/" : String(argument[..<slash])
  }

  private func source(_ tracks: [Track], holds: Bool) -> SourceText {
    let files = tracks.map(\.path)
    let graph = PlayGraph(
      files: files, channels: PlayChannels.most(of: files), settings: settings(holds: holds))
    return SourceText(path: "visgraph play", text: graph.text)
  }

  /// The settings of the player, as a graph file writes them; those that are as usual are left out.
  private func settings(holds: Bool) -> [(name: String, value: String)] {
    var all: [(name: String, value: String)] = []
    if holds { all.append(("plays", "no")) }
    if let loop { all.append(("loop", loop)) }
    if rate != 1 { all.append(("rate", "\(rate)")) }
    if varispeed { all.append(("pitch", "varispeed")) }
    if volume != 1 { all.append(("volume", "\(volume)")) }
    if pan != 0 { all.append(("pan", "\(pan)")) }
    if let from, let to { all.append(("section", "[\(from.seconds), \(to.seconds)]")) }
    if again != .off { all.append(("again", again.rawValue)) }
    if shuffle || seed != nil { all.append(("shuffle", "\(seed ?? UInt64.random(in: 1..<1_000_000))")) }
    return all
  }
}
