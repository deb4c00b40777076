import Engine
public import Graphs
import OSC
public import Playback

/// Something that a running show is asked to do, by whatever way: OSC, a key, a media key. [any]
public enum ShowCommand: Equatable, Sendable {
  /// Asks a player, by the id of its file-source; nil: every player.
  case transport(node: String?, PlayerCommand)
  /// Asks a sound bank, by its id; nil: every one that has such a sound.
  case sound(node: String?, SoundCommand)
  /// Taps the tempo of a beat, by its id.
  case tap(node: String)
  /// Sets a setting: a path such as `gain.volume`, and its value. A number may take time.
  case set(path: String, value: SettingValue, fade: FadeTime = .none)
  /// Puts a setting, by its path, at a place in its whole range, 0…1.
  case fader(path: String, Float, fade: FadeTime = .none)
  /// Scales every level 0…1 that goes out, 0…1.
  case master(Float, fade: FadeTime = .none)
  /// Holds every level 0…1 that goes out at 0, or lets go.
  case blackout(Bool)
  /// Goes to a scene, in so many seconds; nil: in the time that the scene has of its own.
  case scene(SceneChoice, seconds: Double? = nil)
  /// Goes to a cue.
  case cue(CueChoice)
  /// Reads the graph file again.
  case reload
  /// Runs another graph file, crossfading to it in so many seconds; nil: as fast as is possible without a click.
  case load(String, seconds: Double? = nil)
  /// Writes what was set live into the graph file.
  case save
  /// Ends the show.
  case quit
}

extension ShowCommand {
  /// Who carries a command out.
  enum Route {
    /// Any thread, at once.
    case atOnce
    /// The control thread, as a setting of the graph.
    case setting
    /// The control thread, step by step: what the graph says of a scene or a cue.
    case steps
    /// The run, which has the graph file; no score asks for that.
    case file
    /// The run, which ends; no score asks for that.
    case end
  }

  /// Who carries it out.
  var route: Route {
    switch self {
    case .transport, .sound, .tap, .master, .blackout: .atOnce
    case .set, .fader: .setting
    case .scene, .cue: .steps
    case .reload, .load, .save: .file
    case .quit: .end
    }
  }

  /// Whether it is done when a score asks for it.
  public var isOfScore: Bool { route != .file && route != .end }

  /// The setting that it sets; nil where it sets none.
  public var settingPath: String? {
    switch self {
    case .set(let path, _, _), .fader(let path, _, _): path
    default: nil
    }
  }

  /// The same for another setting of the same kind.
  func at(_ path: String) -> ShowCommand {
    switch self {
    case .set(_, let value, let fade): .set(path: path, value: value, fade: fade)
    case .fader(_, let place, let fade): .fader(path: path, place, fade: fade)
    default: self
    }
  }

  /// Whether nothing shines from when it acts on: a blackout, or a master that is at 0 at once.
  var darkens: Bool {
    switch self {
    case .blackout(let isDark): isDark
    case .master(let place, let fade): place <= 0 && fade.seconds <= 0
    default: false
    }
  }

  /// Moves what it moves of the master and the blackout; gives whether it is a command of these.
  @discardableResult
  func move(_ dimmer: Dimmer) -> Bool {
    switch self {
    case .master(let place, let fade): dimmer.move(to: place, seconds: fade.seconds)
    case .blackout(let isDark): dimmer.isBlackout = isDark
    default: return false
    }
    return true
  }

  /// Whether nothing is left of an earlier one where this one acts in the same frame.
  func replaces(_ earlier: ShowCommand) -> Bool {
    switch (earlier, self) {
    case (.set(let one, _, _), .set(let other, _, _)): return one == other
    case (.blackout, .blackout): return true
    // A fade begins where a move that took no time has left it.
    case (.master(_, let before), .master(_, let now)): return now.seconds <= 0 || before.seconds > 0
    default: return false
    }
  }

  /// In what time it is done; nil where that is always at once.
  public var fade: FadeTime? {
    switch self {
    case .set(_, _, let fade), .fader(_, _, let fade), .master(_, let fade): fade
    default: nil
    }
  }
}

extension ShowCommand {
  /// The message of the control port that asks for it; nil for what has no place in a score: graphs that are read, loaded
  /// and saved, and the end.
  var message: Message? {
    switch self {
    case .transport(let node, let command):
      let place = node.map { "/visgraph/node/\($0)" } ?? "/visgraph"
      let (verb, arguments) = command.words
      return verb.map { Message("\(place)/transport/\($0)", arguments: arguments) }
    case .sound(let node, let command):
      let place = "/visgraph/node/\(node ?? "*")"
      switch command {
      case .play(let name): return Message("\(place)/play", .string(name))
      case .alert(let name): return Message("\(place)/alert", .string(name))
      case .stop(let name):
        return Message("\(place)/stop", arguments: name.map { [.string($0)] } ?? [])
      }
    case .tap(let node): return Message("/visgraph/node/\(node)/tap")
    case .set(let path, let value, let fade):
      return Self.place("node", path).map {
        Message($0, arguments: [Self.argument(value)] + fade.arguments)
      }
    case .fader(let path, let place, let fade):
      return Self.place("fader", path).map {
        Message($0, arguments: [.float(place)] + fade.arguments)
      }
    case .master(let place, let fade):
      return Message("/visgraph/master", arguments: [.float(place)] + fade.arguments)
    case .blackout(let isDark): return Message("/visgraph/blackout", .int(isDark ? 1 : 0))
    default: return nil
    }
  }

  /// The address of a setting: `meter.each.2.hold` is `/visgraph/node/meter/2/hold`.
  private static func place(_ kind: String, _ path: String) -> String? {
    var parts = path.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 1 else { return nil }
    if parts[1] == "each", parts.count > 3 { parts.remove(at: 1) }
    return "/visgraph/\(kind)/" + parts.joined(separator: "/")
  }

  /// A value as a graph file writes it: a number where that says the same.
  private static func argument(_ value: SettingValue) -> Argument {
    if case .number(let number) = value { return .double(number + 0) }
    let text = value.text
    if let number = Double(text), number.isFinite, shortest(number) == text { return .double(number) }
    return .string(text)
  }
}

/// Something that a sound bank is asked to do.
public enum SoundCommand: Equatable, Sendable {
  /// Plays a sound.
  case play(String)
  /// Plays a sound and reports it at the port for alerts.
  case alert(String)
  /// Ends a sound, or all of them.
  case stop(String?)
}

extension SoundCommand {
  /// The sound that is meant; nil: all of them.
  var name: String? {
    switch self {
    case .play(let name), .alert(let name): name
    case .stop(let name): name
    }
  }
}

/// In what time, and along what line, a number goes to another.
public struct FadeTime: Equatable, Sendable {
  /// In seconds; 0 is at once.
  public var seconds: Double
  /// Whether it goes in a straight line, whatever its unit.
  public var isStraight: Bool

  /// At once.
  public static let none = FadeTime(seconds: 0)
  /// The longest there is, in seconds.
  static let longest = ShowScene.times.upperBound

  /// A fade of so many seconds; `isStraight`: in a straight line, and not evenly for the ear.
  public init(seconds: Double, isStraight: Bool = false) {
    self.seconds = seconds
    self.isStraight = isStraight
  }
}

extension FadeTime {
  /// As it stands behind a number.
  var arguments: [Argument] {
    seconds > 0 ? [.double(seconds)] + (isStraight ? [.string("linear")] : []) : []
  }
}
