import Graphs
import Playback
import Realtime

/// Plays an audio file.
enum FileSource: NodeType {
  static let name = "file-source"
  static let help = """
    Plays an audio file (WAV, AIFF, FLAC, Ogg Vorbis, Opus, MP3 …) from disk. A file of another sample rate is \
    resampled. A file that ends early or vanishes while it plays is reported and falls silent; the show goes on.
    """

  /// The settings of a file source.
  struct Settings: FieldRecord {
    /// The file.
    var path = GraphFile()
    /// How often it starts again.
    var loop = Repeats.times(0)
    /// How many channels; nil: as many as the file has.
    var channels: Int?

    static let recordName = "file-source"
    static let fields: [Field<Settings>] = [
      Field("path", \.path, change: .rebuild, "The audio file, relative to the graph file."),
      Field(
        "loop", \.loop, change: .rebuild,
        "How often it starts again when it has ended: 0 plays once, n plays n times more, or `forever`."),
      Field(
        "channels", \.channels, .number(.none, 1...1024, whole: true), change: .rebuild,
        "How many channels leave; as many as the file has, where nothing is said. With it the file need not be there "
          + "when the graph is checked."),
    ]
    init() {}
  }

  static func inputs(_ settings: Settings) -> [InputPort] { [] }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [OutputPort("out", .type(.audio), "The sound of the file.")]
  }

  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    let settings = shaping.settings.all
    guard !settings.path.text.isEmpty else {
      shaping.report("no-path", nil, "a file-source needs a `path`, such as `path: sounds/demo.flac`")
      return [Channel.numbered(settings.channels ?? 2)]
    }
    if let channels = settings.channels { return [Channel.numbered(channels)] }
    do {
      let format = try AudioFile(path: settings.path.path).format
      return [Channel.numbered(format.channels, names: names(for: format.channels))]
    } catch {
      shaping.report(error.code.rawValue, "path", error.message)
      return [Channel.numbered(2)]
    }
  }

  /// Mono has no name; stereo has the two that everybody knows.
  private static func names(for channels: Int) -> [String] { channels == 2 ? ["Left", "Right"] : [] }

  static func halves(_ making: Making<Settings>) throws -> Halves {
    let settings = making.settings.all
    let loop = making.surroundings.playsOnce ? .times(1) : settings.loop.loop
    return try StreamedFile.halves(
      making, path: settings.path.path, loop: loop, channels: making.outputs[0].channels.count)
  }
}

/// How often something starts again when it has ended.
enum Repeats: FieldValue, Equatable {
  /// So many times more; 0 plays once.
  case times(Int)
  /// Until it is stopped.
  case forever

  static let kind = Kind.oneOf([
    .number(.none, 0...1_000_000, whole: true), .choice([Kind.Choice("forever", "until it is stopped")]),
  ])

  static func read(_ tree: Tree, as kind: Kind, _ reading: Reading) -> Repeats? {
    if case .scalar("forever", _) = tree.content { return .forever }
    guard let count = Int.read(tree, as: .number(.none, 0...1_000_000, whole: true), reading) else {
      return nil
    }
    return .times(count)
  }

  func written(as kind: Kind) -> String {
    switch self {
    case .times(let count): String(count)
    case .forever: "forever"
    }
  }

  var loop: Loop {
    switch self {
    case .times(let count): .times(count + 1)
    case .forever: .forever
    }
  }
}
