import Engine
public import Graphs
import OSC
public import Playback

/// A command to a running show, by OSC, key, page or media key. [any]
public enum ShowCommand: Equatable, Sendable {
  /// Commands a player, by the id of its file-source; nil: all players.
  case transport(node: String?, PlayerCommand)
  /// Commands a sound bank, by its id; nil: all that have such a sound.
  case sound(node: String?, SoundCommand)
  /// Taps the tempo of a beat, by its id.
  case tap(node: String)
  /// Sets a setting, by a path such as `gain.volume`; a number may fade.
  case set(path: String, value: SettingValue, fade: FadeTime = .none)
  /// Sets a setting, by its path, to a fader position 0…1 within its whole range.
  case fader(path: String, Float, fade: FadeTime = .none)
  /// Sets the master, 0…1: the factor for all levels 0…1 that go out.
  case master(Float, fade: FadeTime = .none)
  /// Holds all levels 0…1 that go out at 0, or releases them.
  case blackout(Bool)
  /// Goes to a scene in `seconds`; nil: in the time that the scene states.
  case scene(SceneChoice, seconds: Double? = nil)
  /// Goes to a cue.
  case cue(CueChoice)
  /// Reads the graph file again.
  case reload
  /// Runs another graph file, after a crossfade of `seconds`; nil: the shortest without a click.
  case load(String, seconds: Double? = nil)
  /// Writes the overrides into the graph file.
  case save
  /// Ends the show.
  case quit
}

extension ShowCommand {
  /// Which part of the program carries a command out.
  enum Route {
    /// Any thread, at once.
    case atOnce
    /// The control thread, as a setting of the graph.
    case setting
    /// The control thread, in steps: those that the graph has for a scene or a cue.
    case steps
    /// The run, which has the graph file; a score may not hold it.
    case file
    /// The run, which ends; a score may not hold it.
    case end
  }

  var route: Route {
    switch self {
    case .transport, .sound, .tap, .master, .blackout: .atOnce
    case .set, .fader: .setting
    case .scene, .cue: .steps
    case .reload, .load, .save: .file
    case .quit: .end
    }
  }

  /// Whether a score may hold it.
  public var isOfScore: Bool { route != .file && route != .end }

  /// The path of the setting that it sets; nil: it sets none.
  public var settingPath: String? {
    switch self {
    case .set(let path, _, _), .fader(let path, _, _): path
    default: nil
    }
  }

  /// The same command for another setting.
  func at(_ path: String) -> ShowCommand {
    switch self {
    case .set(_, let value, let fade): .set(path: path, value: value, fade: fade)
    case .fader(_, let place, let fade): .fader(path: path, place, fade: fade)
    default: self
    }
  }

  /// Whether all lights are dark as soon as it acts: a blackout, or the master at 0 without a fade.
  var darkens: Bool {
    switch self {
    case .blackout(let isDark): isDark
    case .master(let place, let fade): place <= 0 && fade.seconds <= 0
    default: false
    }
  }

  /// Applies a command for the master or the blackout; returns false for any other command.
  @discardableResult
  func move(_ dimmer: Dimmer) -> Bool {
    switch self {
    case .master(let place, let fade): dimmer.move(to: place, seconds: fade.seconds)
    case .blackout(let isDark): dimmer.isBlackout = isDark
    default: return false
    }
    return true
  }

  /// Whether it sets a state: it replaces earlier commands of its kind. One that does not replaces none.
  var setsState: Bool { replaces(self) }

  /// Whether this command leaves no effect of an earlier one in the same frame.
  func replaces(_ earlier: ShowCommand) -> Bool {
    switch (earlier, self) {
    case (.set(let one, _, _), .set(let other, _, _)): return one == other
    case (.blackout, .blackout): return true
    // A fade starts where an earlier move without a fade has set the master, so that move is kept.
    case (.master(_, let before), .master(_, let now)): return now.seconds <= 0 || before.seconds > 0
    default: return false
    }
  }

  /// The fade time; nil: the command always acts at once.
  public var fade: FadeTime? {
    switch self {
    case .set(_, _, let fade), .fader(_, _, let fade), .master(_, let fade): fade
    default: nil
    }
  }
}

extension ShowCommand {
  /// The message that asks for it at the control port. Nil for scenes and cues, of which a recording has the single
  /// steps, and for reload, load, save and quit, which a score may not hold.
  var message: Message? {
    switch self {
    case .transport(let node, let command):
      let place = node.map { "/visgraph/node/\($0)" } ?? "/visgraph"
      let (verb, arguments) = command.message
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

  /// The argument for a value: a number if the number's shortest form is the same text.
  private static func argument(_ value: SettingValue) -> Argument {
    if case .number(let number) = value { return .double(number + 0) }
    let text = value.text
    if let number = Double(text), number.isFinite, shortest(number) == text { return .double(number) }
    return .string(text)
  }
}

/// A command to a sound bank.
public enum SoundCommand: Equatable, Sendable {
  /// Plays a sound.
  case play(String)
  /// Plays a sound and reports it at the port for alerts.
  case alert(String)
  /// Ends a sound; nil: all of them.
  case stop(String?)
}

extension SoundCommand {
  /// The sound that it names; nil: all of them.
  var name: String? {
    switch self {
    case .play(let name), .alert(let name): name
    case .stop(let name): name
    }
  }
}

/// The time and the curve of a fade.
public struct FadeTime: Equatable, Sendable {
  /// In seconds; 0: at once.
  public var seconds: Double
  /// Whether the number itself moves linearly, whatever its unit.
  public var isLinear: Bool

  /// Without a fade.
  public static let none = FadeTime(seconds: 0)
  /// The longest fade, in seconds.
  static let longest = ShowScene.times.upperBound

  /// A fade of `seconds`; `isLinear`: linear in the number, and not even to the ear.
  public init(seconds: Double, isLinear: Bool = false) {
    self.seconds = seconds
    self.isLinear = isLinear
  }
}

extension FadeTime {
  /// The arguments that follow the value in a message.
  var arguments: [Argument] {
    seconds > 0 ? [.double(seconds)] + (isLinear ? [.string("linear")] : []) : []
  }
}
