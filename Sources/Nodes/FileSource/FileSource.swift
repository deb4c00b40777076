import Engine
import Graphs
import Playback

/// Plays audio files.
enum FileSource: RunnableNode {
  static let name = "file-source"
  static let help = """
    Plays an audio file (WAV, AIFF, CAF, FLAC, MP3, AAC, ALAC, Ogg Vorbis, Opus …) from disk, or a list of them, one \
    after the other without a gap. A file of another sample rate is resampled. It takes the commands of a player: play, \
    pause, stop, seek and so on. A file that ends early or vanishes while it plays is reported; what follows is played, \
    and the show goes on.
    """
  /// The settings of a file source.
  struct Settings: FieldRecord {
    /// The files.
    var path: [GraphFile] = []
    /// How often it starts again.
    var loop = Repeats.times(0)
    /// How many channels; nil: as many as the file has.
    var channels: Int?
    /// What the channels are called.
    var names: [String] = []
    /// How fast.
    var rate = 1.0
    /// What another rate does to the pitch.
    var pitch = PlayerCommand.Pitch.kept
    /// In amplitude.
    var volume = 1.0
    /// Between left and right.
    var pan = 0.0
    /// The part that is played; nil: all.
    var section: SectionSetting?
    /// For each output the channel of the file, from 1; empty: one to one.
    var assign: [Int?] = []
    /// The seed of the order; nil: as it stands.
    var shuffle: Int?
    /// What is played again.
    var again = PlayerCommand.RepeatMode.off
    /// What it has to do with the server's transport.
    var transport = PlayerSettings.Transport.own
    /// Whether it plays at once.
    var start = StartSetting.play

    static let recordName = "file-source"
    static let fields: [Field<Settings>] = [
      Field(
        "path", \.path, .oneOf([.file, .list(.file, count: 0...10_000)]), change: .rebuild,
        "The audio file, relative to the graph file; or a list of them, played one after the other."),
      Field(
        "loop", \.loop, aliases: ["numberOfLoops"],
        "How often it starts again when it has ended: 0 plays once, n plays n times more, or `forever`; a list as a "
          + "whole."),
      Field(
        "channels", \.channels, .number(.none, 1...1024, whole: true), change: .rebuild,
        "How many channels leave; as many as the file has, where nothing is said. With it the file need not be there "
          + "when the graph is checked."),
      Field(
        "names", \.names, .channelNames(),
        "What the channels are called; where nothing is said, as the file calls them, or Left and Right of a file with two."
      ),
      Field("rate", \.rate, .number(.none, 0.5...2), "How fast it plays; 1 is as recorded."),
      Field("pitch", \.pitch, "What another rate does to the pitch."),
      Field("volume", \.volume, .number(.none, 0...1), "How loud, in amplitude; 1 is as recorded."),
      Field(
        "pan", \.pan, .number(.none, -1...1),
        "Where between left (-1) and right (1) the first two channels are: a mono file with constant power, of a stereo "
          + "file the other side falls."),
      Field(
        "section", \.section,
        "The part of the file that is played, again and again: { from: 10 s, to: 20 s }. Its end crosses into its "
          + "beginning in 10 ms."),
      Field(
        "assign", \.assign,
        .list(Int?.kind(declared: .number(.none, 1...1024, whole: true)), count: 0...1024),
        aliases: ["channelAssignments"],
        "For each output the channel of the file that it plays, from 1, or `none`: [2, 1] swaps left and right. Where "
          + "nothing is said one to one, and a mono file on all."),
      Field(
        "shuffle", \.shuffle, .number(.none, 0...9_007_199_254_740_991, whole: true),
        "Plays a list in an order by chance; the same number gives the same order."),
      Field("repeat", \.again, "What is played again at the end, besides what `loop` says."),
      Field(
        "transport", \.transport, change: .rebuild,
        "What it has to do with the transport of the sound server."),
      Field("start", \.start, change: .restart, "Whether it plays from the beginning."),
    ]
    init() {}
  }

  /// How many files of a list are looked at while a graph is checked.
  static let mostLooked = 1000

  static func inputs(_ settings: Settings) -> [InputPort] { [] }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [
      OutputPort("out", .type(.audio), "The sound of the file."),
      OutputPort("finished", .type(.event), "`finished`, when everything has been played to its end."),
      OutputPort("error", .type(.event), "`error`, when a file cannot be played, or breaks off."),
    ]
  }

  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    [shaping.named(sound(shaping), by: shaping.settings.all.names), [Channel(1)], [Channel(1)]]
  }

  private static func sound(_ shaping: Shaping<Settings>) -> [Channel] {
    let settings = shaping.settings.all
    if let section = settings.section, let to = section.to, to <= section.from {
      shaping.report(
        "empty-section", "section",
        "the section ends (\(shortest(to)) s) before it has begun (\(shortest(section.from)) s); `to` lies after `from`"
      )
    }
    guard !settings.path.isEmpty else {
      shaping.report("no-path", nil, "a file-source needs a `path`, such as `path: sounds/demo.flac`")
      return Channel.numbered(settings.channels ?? max(2, settings.names.count))
    }
    if let channels = settings.channels { return assigned(Channel.numbered(channels), shaping) }
    var widest: AudioFormat?
    var first: AudioError?
    for file in settings.path.prefix(mostLooked) {
      do throws(AudioError) {
        let format = try AudioFormatCache.format(of: file.path)
        if format.channels > widest?.channels ?? 0 { widest = format }
      } catch {
        if first == nil { first = error }
      }
    }
    if let widest {
      return assigned(Channel.numbered(widest.channels, names: names(for: widest)), shaping)
    }
    if let first { shaping.report(first.code.rawValue, "path", first.message) }
    return Channel.numbered(max(2, settings.names.count))
  }

  /// Tells of assignments to more channels than leave.
  private static func assigned(_ channels: [Channel], _ shaping: Shaping<Settings>) -> [Channel] {
    let count = shaping.settings.all.assign.count
    if count > channels.count {
      let leaving = channels.count == 1 ? "1 channel leaves" : "\(channels.count) channels leave"
      shaping.report(
        "more-assignments-than-channels", "assign",
        "`assign` states the channels of the file for \(count) outputs, but \(leaving); name \(channels.count) or "
          + "fewer, or say `channels: \(count)`")
    }
    return channels
  }

  /// Those of the file; else mono has no name, and stereo has the two that everybody knows.
  private static func names(for format: AudioFormat) -> [String] {
    if !format.channelNames.isEmpty { return format.channelNames }
    return format.channels == 2 ? ["Left", "Right"] : []
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let settings = context.settings.all
    return try PlayedFile.makeParts(
      context, paths: settings.path.map(\.path),
      settings: settings.playing(once: context.configuration.playsOnce),
      channels: context.outputs[0].channels.count)
  }
}

extension FileSource.Settings {
  /// As a player has them.
  ///
  /// - Parameter once: whether everything is played once, whatever is said of loops.
  func playing(once: Bool) -> PlayerSettings {
    var playing = PlayerSettings()
    playing.plays = start == .play
    playing.loop = once ? .times(1) : loop.loop
    playing.section = section?.range
    playing.repeatsSection = !once
    playing.rate = rate
    playing.pitch = pitch
    playing.volume = Float(volume)
    playing.pan = Float(pan)
    playing.assignments = assign.isEmpty ? nil : assign.map { $0.map { $0 - 1 } }
    playing.shuffle = shuffle.map { UInt64($0) }
    playing.again = once ? .off : again
    playing.transport = transport
    return playing
  }
}
