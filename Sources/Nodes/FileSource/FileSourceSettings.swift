public import Graphs
public import Playback

extension FileSource {
  /// The settings of a file source: its files, and the initial settings of its player.
  struct Settings: FieldRecord {
    var path: [GraphFile] = []
    /// The number of channels; nil: as many as the file has.
    var channels: Int?
    var names: [String] = []
    /// The section that is played; nil: all. `player.section` is computed from it.
    var section: SectionSetting?
    /// The gain in dB, in addition to the player's volume.
    var gain = 0.0
    var player = PlayerSettings()

    static let recordName = "file-source"
    static let fields: [Field<Settings>] = [
      Field(
        "path", \.path, .oneOf([.file, .list(.file, count: 0...PlayerParameters.mostFiles)]),
        change: .rebuild,
        "The audio file, relative to the graph file; or a list of them, played one after the other."),
      Field(PlayerParameters.loop, \.player.loop, Loop.kind, aliases: ["numberOfLoops"]),
      Field(
        "channels", \.channels, .channelCount, change: .rebuild,
        "How many channels leave; by default as many as the file has. If it is stated, the file need not exist when "
          + "the graph is checked."),
      Field(
        "names", \.names, .channelNames(),
        "The names of the channels; by default those of the file, or Left and Right if the file has two channels."
      ),
      Field(PlayerParameters.rate, \.player.rate),
      Field(PlayerParameters.pitch, \.player.pitch),
      Field(PlayerParameters.volume, \.player.volume),
      Field(
        "gain", \.gain, .number(.gain, -160...20),
        "The gain, in addition to `volume`, which the commands of the transport change as well; -160 dB is silence."
      ),
      Field(PlayerParameters.pan, \.player.pan),
      Field(
        "section", \.section,
        "\(PlayerParameters.section.help.dropLast()): { from: 10 s, to: 20 s }. Its end is crossfaded into its "
          + "beginning in 10 ms."
      ),
      Field(
        "assign", \.assign,
        .list(Int?.kind(declared: .channelCount), count: 0...AudioFormat.channelRange.upperBound),
        aliases: ["channelAssignments"],
        "For each output channel, the channel of the file that it plays, from 1, or `none`: [2, 1] swaps left and "
          + "right. By default each plays the channel of its own number, and a mono file plays on all."),
      Field(PlayerParameters.shuffle, \.shuffle),
      Field(PlayerParameters.again, \.player.repeatMode),
      Field(PlayerParameters.replayGain, \.player.replayGain),
      Field(PlayerParameters.transport, \.player.transport, change: .rebuild),
      Field("start", \.start, change: .restart, "Whether it plays as soon as the graph runs."),
    ]
    init() {}
  }
}

extension FileSource.Settings {
  /// The settings of a player, and nothing else.
  fileprivate init(_ player: PlayerSettings) {
    self.player = player
    section = player.section.map(SectionSetting.init)
  }

  /// By output: the channel of the file, from 1; empty: one to one.
  var assign: [Int?] {
    get { player.assignments.map { $0.map { $0.map { $0 + 1 } } } ?? [] }
    set { player.assignments = newValue.isEmpty ? nil : newValue.map { $0.map { $0 - 1 } } }
  }

  /// The seed of the order; nil: not shuffled.
  private var shuffle: Int? {
    get { player.shuffle.map { Int(clamping: $0) } }
    set { player.shuffle = newValue.map { UInt64($0) } }
  }

  /// Whether it plays at once.
  private var start: StartSetting {
    get { player.plays ? .play : .pause }
    set { player.plays = newValue == .play }
  }

  /// The settings for a player.
  ///
  /// - Parameter once: whether everything is played once, without the loops.
  func playing(once: Bool) -> PlayerSettings {
    var playing = player
    playing.section = section?.range
    guard once else { return playing }
    playing.loop = .times(1)
    playing.repeatsSection = false
    playing.repeatMode = .off
    return playing
  }
}

extension PlayerSettings {
  /// The settings of a file-source that starts in this state, as written in a graph file, without defaults. [control]
  public var inGraphFile: [(name: String, value: String)] {
    let settings = FileSource.Settings(self)
    let defaults = FileSource.Settings()
    return FileSource.Settings.fields.compactMap { field in
      let value = field.written(settings)
      return value == field.written(defaults) ? nil : (field.name, value)
    }
  }
}

/// The settings of a player that commands change, by the names of a file-source's settings. [control]
extension PlayerSettings {
  /// The maximum number of these settings.
  public static let maxLiveValues = 20

  /// The fields of a file-source that concern its player alone and change live.
  private static let liveFields = FileSource.Settings.fields.filter { field in
    field.change == .live && !["channels", "names", "gain"].contains(field.name)
  }

  /// The present state, as written in a graph file.
  public var liveValues: [(name: String, value: String)] {
    let settings = FileSource.Settings(self)
    return Self.liveFields.map { ($0.name, $0.written(settings)) }
  }

  /// These settings with `values` from `liveValues`; a value that cannot be read is ignored.
  public func applying(_ values: [(name: String, value: String)]) -> PlayerSettings {
    var settings = FileSource.Settings(self)
    for (name, value) in values {
      guard let field = Self.liveFields.first(where: { $0.name == name }), let tree = Tree.written(value)
      else { continue }
      field.read(&settings, tree, ReadContext(fps: FrameRate(60), stage: Stage(), folder: "."))
    }
    return settings.playing(once: false)
  }
}

extension PlayerNumber {
  /// The kind of its values in graph files.
  var kind: ValueKind {
    let unit: Graphs.Unit =
      switch unit {
      case .none: .none
      case .seconds: .seconds
      case .amplitude: .amplitude
      }
    return .number(unit, range, whole: isWhole)
  }
}

extension Field {
  /// Declares a setting that is a number of players.
  fileprivate init<Value: FieldValue>(
    _ number: PlayerNumber, _ path: any WritableKeyPath<Root, Value> & Sendable, _ kind: ValueKind? = nil,
    aliases: [String] = []
  ) {
    let help = number.more.isEmpty ? number.help : "\(number.help) \(number.more)"
    self.init(number.name, path, kind ?? number.kind, aliases: aliases, help)
  }

  /// Declares a setting that is a choice of players.
  fileprivate init<Value: FieldChoice>(
    _ word: PlayerWord<Value>, _ path: any WritableKeyPath<Root, Value> & Sendable, change: Change = .live
  ) {
    self.init(word.name, path, change: change, word.help)
  }
}

extension PlayerCommand.Pitch: FieldChoice {}
extension PlayerCommand.RepeatMode: FieldChoice {}
extension PlayerSettings.Transport: FieldChoice {}
extension PlayerSettings.ReplayGain: FieldChoice {}

/// Whether a player plays at the start.
enum StartSetting: String, FieldChoice {
  case play
  case pause

  var help: String {
    switch self {
    case .play: "it plays at once"
    case .pause: "it waits for `play`"
    }
  }
}

/// A section of a file.
struct SectionSetting: FieldRecord, FieldValue {
  /// Where it begins, in seconds of the file.
  var from = 0.0
  /// Where it ends, in seconds of the file; nil: at its end.
  var to: Double?

  static let recordName = "section"
  static let fields: [Field<SectionSetting>] = [
    Field("from", \.from, PlayerParameters.section.kind, "Where it begins, in seconds of the file."),
    Field(
      "to", \.to, PlayerParameters.section.kind,
      "Where it ends, in seconds of the file; by default at the end of the file."),
  ]
  init() {}

  /// A section until `to`, or until the end of all files.
  init(_ range: ClosedRange<Double>) {
    from = range.lowerBound
    to = range.upperBound < PlayerParameters.section.range.upperBound ? range.upperBound : nil
  }

  /// The section, in seconds of the file; nil: all of it.
  var range: ClosedRange<Double>? {
    if from == 0 && to == nil { return nil }
    return from...max(from, to ?? PlayerParameters.section.range.upperBound)
  }
}

extension Loop: FieldValue {
  /// A number of further times, or endless.
  public static var kind: ValueKind {
    .oneOf([PlayerParameters.loop.kind, .choice([ValueKind.Choice(endless, "until it is stopped")])])
  }

  /// Reads a value; nil where it is faulty, with the fault in `context`. [control]
  public static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> Loop? {
    if case .scalar(endless, _) = tree.content { return .forever }
    return Int.read(tree, as: PlayerParameters.loop.kind, context).map { Loop(repetitions: $0) }
  }

  /// The value in the form of a graph file.
  public func written(as kind: ValueKind) -> String { repetitions.map(String.init) ?? Self.endless }
}
