public import Graphs
public import Playback

/// Something that a running show is asked to do, by whatever way: OSC, a key, a media key. [any]
public enum ShowCommand: Equatable, Sendable {
  /// Asks a player, by the id of its file-source; nil: every player.
  case transport(node: String?, PlayerCommand)
  /// Asks a sound bank, by its id; nil: every one that has such a sound.
  case sound(node: String?, SoundCommand)
  /// Taps the tempo of a beat, by its id.
  case tap(node: String)
  /// Sets a setting: a path such as `gain.volume`, and a value as a graph file would write it. A number may take time.
  case set(path: String, value: String, fade: FadeTime = .none)
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

  /// In what time it is done; nil where that is always at once.
  public var fade: FadeTime? {
    switch self {
    case .set(_, _, let fade), .fader(_, _, let fade), .master(_, let fade): fade
    default: nil
    }
  }
}

/// Something that a sound bank is asked to do.
public enum SoundCommand: Equatable, Sendable {
  /// Plays a sound.
  case play(String)
  /// Plays a sound and tells so at the port for alerts.
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

  /// So many seconds.
  public init(seconds: Double, isStraight: Bool = false) {
    self.seconds = seconds
    self.isStraight = isStraight
  }
}
