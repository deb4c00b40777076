/// The settings of a player, at its start and later. The initial values are the defaults; `PlayerParameters` declares
/// names, ranges and meaning. [any]
public struct PlayerSettings: Equatable, Sendable {
  /// The relation of a player to the transport of the sound server.
  public enum Transport: String, PlayerChoice {
    /// It has a transport of its own.
    case own
    /// It follows the server's transport.
    case follow
    /// Its commands go to the server's transport, which it follows.
    case lead

    /// The meaning of the word, in half a sentence.
    public var help: String {
      switch self {
      case .own: "it has a transport of its own"
      case .follow: "it starts, stops and goes where JACK's transport does"
      case .lead: "its commands go to JACK's transport, and it follows"
      }
    }
  }

  /// Whether tracks are played at equal loudness, by their tags.
  public enum ReplayGain: String, PlayerChoice {
    /// As recorded.
    case off
    /// Each track at the common loudness.
    case track
    /// Each album at the common loudness; its tracks keep their differences.
    case album

    /// The meaning of the word, in half a sentence.
    public var help: String {
      switch self {
      case .off: "every track is as loud as it was recorded"
      case .track: "every track has the common loudness"
      case .album: "every album has it, and its tracks keep their differences"
      }
    }
  }

  /// Whether it starts playing at once.
  public var plays = true
  /// How often a single track is played, or a list of several as a whole. `Loop.times` is the total; files and messages
  /// count the repetitions, one less.
  public var loop = Loop.times(1)
  /// The section of each track that is played, in seconds; nil: all of it.
  public var section: ClosedRange<Double>?
  /// Whether the section repeats; otherwise it is played once, and what follows the track comes next.
  public var repeatsSection = true
  /// Rate; 1 is as recorded.
  public var rate = 1.0
  /// The effect of the rate on the pitch.
  public var pitch = PlayerCommand.Pitch.kept
  /// Volume in amplitude; during a fade its goal.
  public var volume: Float = 1
  /// Pan, −1 (left) … 1 (right).
  public var pan: Float = 0
  /// The file's channel, from 0, for each of the player's channels; nil: silence. Nil as a whole: one to one, a mono
  /// file to all.
  public var assignments: [Int?]?
  /// The seed of the shuffled order; nil: the order of the list.
  public var shuffle: UInt64?
  /// What is repeated.
  public var repeatMode = PlayerCommand.RepeatMode.off
  /// Whether tracks are played at equal loudness.
  public var replayGain = ReplayGain.off
  /// The relation to the transport of the sound server.
  public var transport = Transport.own

  /// Makes the default settings: the player starts at once, and plays everything one time.
  public init() {}

  /// The commands that turn `old` settings of a running player into these. No command changes `plays`, which counts at
  /// the start alone, `repeatsSection`, which is fixed for a run, and `transport`, for which the node is built anew.
  public func commands(since old: PlayerSettings) -> [PlayerCommand] {
    let all: [(isNew: Bool, command: PlayerCommand)] = [
      (old.loop != loop, .loop(loop)), (old.rate != rate, .rate(rate)), (old.pitch != pitch, .pitch(pitch)),
      (old.volume != volume, .volume(volume, fade: 0)), (old.pan != pan, .pan(pan)),
      (old.section != section, .section(section)), (old.assignments != assignments, .assign(assignments)),
      (old.shuffle != shuffle, .shuffle(seed: shuffle)), (old.repeatMode != repeatMode, .again(repeatMode)),
      (old.replayGain != replayGain, .replayGain(replayGain)),
    ]
    return all.filter(\.isNew).map(\.command)
  }
}

/// The parameters of a player, each declared once. Settings of a file source, options of `visgraph play`, verbs of the
/// transport, properties of desktops and facts of the status are made from them. Defaults are the initial values of
/// `PlayerSettings`; the curve of a fader follows from unit and range. [any]
public enum PlayerParameters {
  /// The most files in a graph's list for a player.
  public static let mostFiles = 10_000

  /// The most files, folders and playlists in a message.
  public static let mostPaths = 1000

  /// The rate.
  public static let rate = PlayerNumber("rate", 0.5...2, "How fast it plays; 1 is as recorded.")
  /// The effect of the rate on the pitch.
  public static let pitch = PlayerWord<PlayerCommand.Pitch>("pitch", "What another rate does to the pitch.")
  /// The volume.
  public static let volume = PlayerNumber(
    "volume", 0...1, unit: .amplitude, "How loud, in amplitude; 1 is as recorded.")
  /// The duration of a fade of volume or pan.
  public static let fade = PlayerNumber(
    "fade", 0...3600, unit: .seconds, "How long a volume or a pan is on its way.")
  /// The pan.
  public static let pan = PlayerNumber(
    "pan", -1...1, "Where the first two channels are between left (-1) and right (1).",
    more: "A mono file is panned with constant power; of a stereo file only the other side gets quieter.")
  /// The number of repetitions, one less than the total of `PlayerSettings.loop`.
  public static let loop = PlayerNumber(
    "loop", 0...1_000_000, isWhole: true,
    "How often the file, or the list as a whole, is repeated: 0 plays it once, n plays it n times more, `forever` "
      + "has no end.")
  /// A time at which the section begins or ends; the help is about the section as a whole.
  public static let section = PlayerNumber(
    "section", 0...10_000_000, unit: .seconds, "The part of the track that is repeated.")
  /// A time of the track, or of the device's clock.
  public static let time = PlayerNumber("time", 0...1e9, unit: .seconds, "A time of the track.")
  /// The number of a track, from 1.
  public static let track = PlayerNumber(
    "track", 1...1_000_000, isWhole: true, "Goes to a track of the list, from 1.")
  /// The seed of the shuffled order.
  public static let shuffle = PlayerNumber(
    "shuffle", 0...9_007_199_254_740_991, isWhole: true,
    "The seed of a random order for a list; the same seed gives the same order.")
  /// What is repeated.
  public static let again = PlayerWord<PlayerCommand.RepeatMode>(
    "repeat", subject: "what is repeated", "What is played again at the end.")
  /// Whether tracks are played at equal loudness.
  public static let replayGain = PlayerWord<PlayerSettings.ReplayGain>(
    "replayGain",
    "Whether files are made equally loud by what their tags say (ReplayGain, R 128), none of them above full scale."
  )
  /// The relation to the server's transport.
  public static let transport = PlayerWord<PlayerSettings.Transport>(
    "transport", "Whether it is tied to the transport of the sound server.")
}

/// A numeric parameter of a player. [any]
public struct PlayerNumber: Sendable {
  /// The unit of a number. `NumberSetting.number` has the curve along which an amplitude fades.
  public enum Unit: Sendable { case none, seconds, amplitude }

  /// The name in graph files, on the command line and in addresses; it never changes once released.
  public let name: String
  /// Allowed values in its unit, ends included.
  public let range: ClosedRange<Double>
  /// Its unit.
  public let unit: Unit
  /// Whether it is an integer.
  public let isWhole: Bool
  /// What it does, in a sentence.
  public let help: String
  /// Further help for authors of graphs; may be empty.
  public let more: String

  fileprivate init(
    _ name: String, _ range: ClosedRange<Double>, unit: Unit = .none, isWhole: Bool = false,
    _ help: String, more: String = ""
  ) {
    self.name = name
    self.range = range
    self.unit = unit
    self.isWhole = isWhole
    self.help = help
    self.more = more
  }

  /// The range as text: `0.5…2`.
  public var span: String {
    let ends = [range.lowerBound, range.upperBound].map { end in Int(exactly: end).map { "\($0)" } ?? "\(end)"
    }
    return ends.joined(separator: "…")
  }

  /// The range of an integer.
  public var wholeRange: ClosedRange<Int> { Int(range.lowerBound)...Int(range.upperBound) }

  /// A number clamped to the range; nil if it is not finite.
  public func clamped<Value: BinaryFloatingPoint>(_ value: Value) -> Value? {
    value.isFinite ? max(Value(range.lowerBound), min(Value(range.upperBound), value)) : nil
  }
}

/// A parameter of a player whose values are words. [any]
public struct PlayerWord<Choice: PlayerChoice>: Sendable {
  /// The name in graph files, on the command line and in addresses; it never changes once released.
  public let name: String
  /// Its name in error messages.
  public let subject: String
  /// What it does, in a sentence.
  public let help: String

  fileprivate init(_ name: String, subject: String? = nil, _ help: String) {
    self.name = name
    self.subject = subject ?? "the \(name)"
    self.help = help
  }
}

/// The words of a parameter.
public protocol PlayerChoice: CaseIterable, RawRepresentable, Sendable where RawValue == String {
  /// The meaning of the word, in half a sentence.
  var help: String { get }
}

/// How often a file is played.
public enum Loop: Equatable, Sendable {
  /// So many times in total; less than 1 counts as 1.
  case times(Int)
  /// Until it is stopped.
  case forever

  /// The word for `forever` in files and messages.
  public static let endless = "forever"

  /// Makes it from the number of repetitions after the first play; nil: without end.
  public init(repetitions: Int?) { self = repetitions.map { .times($0 + 1) } ?? .forever }

  /// The number of repetitions after the first play; nil: without end.
  public var repetitions: Int? {
    switch self {
    case .times(let times): max(1, times) - 1
    case .forever: nil
    }
  }

  /// Whether all plays are done after so many.
  func isOver(after plays: Int) -> Bool {
    switch self {
    case .times(let times): plays >= max(1, times)
    case .forever: false
    }
  }
}
