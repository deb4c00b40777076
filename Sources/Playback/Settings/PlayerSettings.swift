import Glibc

/// What can be set of a player: how it begins, and how it stands. The initial values are the defaults; what may be set, and
/// what it does, `PlayerParameters` declares. [any]
public struct PlayerSettings: Equatable, Sendable {
  /// What a player has to do with the transport of the sound server.
  public enum Transport: String, PlayerChoice {
    /// Nothing.
    case own
    /// It starts, stops and goes where that does.
    case follow
    /// Its commands go there, and it follows.
    case lead

    /// What the word means, in half a sentence.
    public var help: String {
      switch self {
      case .own: "it has a transport of its own"
      case .follow: "it starts, stops and goes where JACK's transport does"
      case .lead: "its commands go to JACK's transport, and it follows"
      }
    }
  }

  /// Whether tracks are made equally loud, by what their tags say.
  public enum ReplayGain: String, PlayerChoice {
    /// They are not.
    case off
    /// Each by itself.
    case track
    /// Those of an album keep their differences.
    case album

    /// What the word means, in half a sentence.
    public var help: String {
      switch self {
      case .off: "every track is as loud as it was recorded"
      case .track: "every track has the common loudness"
      case .album: "every album has it, and its tracks keep their differences"
      }
    }
  }

  /// Whether it plays at once.
  public var plays = true
  /// How often a track is played; with several files, how often the list is.
  public var loop = Loop.times(1)
  /// The part of each track that is played, in seconds.
  public var section: ClosedRange<Double>?
  /// Whether the section is played again and again; else once, and then what follows the track.
  public var repeatsSection = true
  /// How fast.
  public var rate = 1.0
  /// What another rate does to the pitch.
  public var pitch = PlayerCommand.Pitch.kept
  /// In amplitude; of a fade, where it goes.
  public var volume: Float = 1
  /// Between left and right.
  public var pan: Float = 0
  /// For each channel that leaves the channel of the file, from 0; nil: silence. nil: one to one, one channel to all.
  public var assignments: [Int?]?
  /// The seed of the order by chance; nil: as the list stands.
  public var shuffle: UInt64?
  /// What is played again.
  public var again = PlayerCommand.RepeatMode.off
  /// Whether tracks are made equally loud.
  public var replayGain = ReplayGain.off
  /// What it has to do with the transport of the sound server.
  public var transport = Transport.own

  /// Plays everything once, at once.
  public init() {}

  /// What brings a player that was set otherwise to these settings, as far as that can be done while it plays.
  public func commands(since old: PlayerSettings) -> [PlayerCommand] {
    let all: [(isNew: Bool, command: PlayerCommand)] = [
      (old.loop != loop, .loop(loop)), (old.rate != rate, .rate(rate)), (old.pitch != pitch, .pitch(pitch)),
      (old.volume != volume, .volume(volume, fade: 0)), (old.pan != pan, .pan(pan)),
      (old.section != section, .section(section)), (old.assignments != assignments, .assign(assignments)),
      (old.shuffle != shuffle, .shuffle(seed: shuffle)), (old.again != again, .again(again)),
      (old.replayGain != replayGain, .replayGain(replayGain)),
    ]
    return all.filter(\.isNew).map(\.command)
  }
}

/// What can be set of a player and where it may be sent, each declared once: settings of a file source, options of
/// `visgraph play`, verbs of the transport, properties of desktops and facts of the status are made from it. Defaults are
/// the initial values of `PlayerSettings`; the law of a fader follows from unit and range. [any]
public enum PlayerParameters {
  /// The most files that a graph gives a player.
  public static let mostFiles = 10_000

  /// The most files, folders and playlists that a message names.
  public static let mostPaths = 1000

  /// How fast it plays.
  public static let rate = PlayerNumber("rate", 0.5...2, "How fast it plays; 1 is as recorded.")
  /// What another rate does to the pitch.
  public static let pitch = PlayerWord<PlayerCommand.Pitch>("pitch", "What another rate does to the pitch.")
  /// How loud it is.
  public static let volume = PlayerNumber(
    "volume", 0...1, unit: .amplitude, "How loud, in amplitude; 1 is as recorded.")
  /// How long a volume or a pan is on its way.
  public static let fade = PlayerNumber(
    "fade", 0...3600, unit: .seconds, "How long a volume or a pan is on its way.")
  /// Where it is heard.
  public static let pan = PlayerNumber(
    "pan", -1...1, "Where between left (-1) and right (1) the first two channels are.",
    more: "A mono file has constant power; of a stereo file the other side falls.")
  /// How often it starts again.
  public static let loop = PlayerNumber(
    "loop", 0...1_000_000, isWhole: true,
    "How often all starts again, a list as a whole: 0 plays once, n plays n times more, or `forever`.")
  /// The ends of the part that is played.
  public static let section = PlayerNumber(
    "section", 0...10_000_000, unit: .seconds, "The part of the track that is played, again and again.")
  /// A time of the track, or of the device's clock.
  public static let time = PlayerNumber("time", 0...1e9, unit: .seconds, "A time of the track.")
  /// A track of the list.
  public static let track = PlayerNumber(
    "track", 1...1_000_000, isWhole: true, "A track of the list, from 1.")
  /// The order of the list.
  public static let shuffle = PlayerNumber(
    "shuffle", 0...9_007_199_254_740_991, isWhole: true,
    "The number of an order by chance for a list; the same number gives the same order.")
  /// What is played again.
  public static let again = PlayerWord<PlayerCommand.RepeatMode>(
    "repeat", subject: "what is repeated", "What is played again at the end.")
  /// Whether tracks are made equally loud.
  public static let replayGain = PlayerWord<PlayerSettings.ReplayGain>(
    "replayGain",
    "Whether files are made equally loud by what their tags say (ReplayGain, R 128), none of them above full scale."
  )
  /// What it has to do with the server's transport.
  public static let transport = PlayerWord<PlayerSettings.Transport>(
    "transport", "What it has to do with the transport of the sound server.")
}

/// A number that a player takes. [any]
public struct PlayerNumber: Sendable {
  /// Of a number; an amplitude fades evenly for the ear.
  public enum Unit: Sendable { case none, seconds, amplitude }

  /// The name in graph files, on the command line and in addresses; it never changes once released.
  public let name: String
  /// What it may be, in its unit; both ends belong to it.
  public let range: ClosedRange<Double>
  /// Its unit.
  public let unit: Unit
  /// Whether it is a whole number.
  public let isWhole: Bool
  /// What it does, in a sentence.
  public let help: String
  /// What else the author of a graph should know; empty where there is nothing.
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

  /// The range of a whole number.
  public var wholeRange: ClosedRange<Int> { Int(range.lowerBound)...Int(range.upperBound) }

  /// A number brought into the range; nil for what is no number.
  public func clamped<Value: BinaryFloatingPoint>(_ value: Value) -> Value? {
    value.isFinite ? max(Value(range.lowerBound), min(Value(range.upperBound), value)) : nil
  }
}

/// A word among several that a player takes. [any]
public struct PlayerWord<Choice: PlayerChoice>: Sendable {
  /// The name in graph files, on the command line and in addresses; it never changes once released.
  public let name: String
  /// What the sentence of an error calls it.
  public let subject: String
  /// What it does, in a sentence.
  public let help: String

  fileprivate init(_ name: String, subject: String? = nil, _ help: String) {
    self.name = name
    self.subject = subject ?? "the \(name)"
    self.help = help
  }
}

/// The words that a player takes for something.
public protocol PlayerChoice: CaseIterable, RawRepresentable, Sendable where RawValue == String {
  /// What the word means, in half a sentence.
  var help: String { get }
}

/// How often a file is played.
public enum Loop: Equatable, Sendable {
  /// So many times in all; 1 is once, and less than 1 counts as 1.
  case times(Int)
  /// Over and over until it is stopped.
  case forever

  /// The word for what has no end.
  public static let endless = "forever"

  /// How often it starts again; nil: without end.
  public init(again: Int?) { self = again.map { .times($0 + 1) } ?? .forever }

  /// How often it starts again; nil: without end.
  public var again: Int? {
    switch self {
    case .times(let times): max(1, times) - 1
    case .forever: nil
    }
  }

  /// Whether nothing follows once so many plays are done.
  func isOver(after plays: Int) -> Bool {
    switch self {
    case .times(let times): plays >= max(1, times)
    case .forever: false
    }
  }
}

/// Where a sound lies between left and right.
enum Pan {
  /// The factors of the two channels.
  ///
  /// A mono file keeps its power: √2·cos and √2·sin of a quarter circle, so that the middle is 1. Of a stereo file the
  /// side that it goes away from falls along a quarter of a cosine, and the other stays.
  ///
  /// - Parameters:
  ///   - pan: -1…1.
  ///   - isMono: whether both channels have the same sound.
  static func gains(_ pan: Float, isMono: Bool) -> (left: Float, right: Float) {
    if pan == 0 { return (1, 1) }
    let pan = Double(pan)
    guard isMono else {
      return (
        Float(pan > 0 ? max(0, cos(pan * .pi / 2)) : 1), Float(pan < 0 ? max(0, cos(pan * .pi / 2)) : 1)
      )
    }
    let angle = (pan + 1) * .pi / 4
    return (Float(max(0, 2.0.squareRoot() * cos(angle))), Float(max(0, 2.0.squareRoot() * sin(angle))))
  }
}
