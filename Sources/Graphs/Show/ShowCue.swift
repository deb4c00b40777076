public import OSC

/// The number of a cue: 1, 2, 2.5. It has up to three decimals, which leave room between any two whole
/// numbers. [any]
public struct CueNumber: Comparable, Hashable, Sendable, CustomStringConvertible {
  /// The form, as a regular expression for the schema. `init` reads the same form.
  static let pattern = "^[0-9]{1,5}(\\.[0-9]{1,3})?$"
  /// The number times 1000.
  private let thousandths: Int

  /// Parses `2` or `2.5`; nil for other texts.
  public init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = Self.digits(parts[0], most: 5) else { return nil }
    guard parts.count == 2 else {
      thousandths = 1000 * whole
      return
    }
    guard var part = Self.digits(parts[1], most: 3) else { return nil }
    for _ in parts[1].utf8.count..<3 { part *= 10 }
    thousandths = 1000 * whole + part
  }

  private static func digits(_ text: Substring, most: Int) -> Int? {
    guard (1...most).contains(text.utf8.count), text.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
    return Int(text)
  }

  /// The order in which cues are run.
  public static func < (one: CueNumber, other: CueNumber) -> Bool { one.thousandths < other.thousandths }

  /// The shortest decimal text.
  public var description: String { shortest(Double(thousandths) / 1000) }
}

/// The action of a cue or alarm: a scene, messages, or both. [any]
public struct ShowAction: Equatable, Sendable {
  /// The scene to go to.
  public var scene: String?
  /// The duration of the crossing in seconds, within `ShowScene.times`; nil: that of the scene.
  public var seconds: Double?
  /// Messages to the control port and to other programs, in order.
  public var messages: [MessageText]
  /// The texts of the messages in the file.
  public var sources: [String] = []
}

/// A cue of a graph. [any]
public struct ShowCue: Equatable, Sendable {
  /// When the next cue starts without a go.
  public enum FollowOn: Equatable, Sendable {
    /// Seconds after the start of this cue.
    case begin(Double)
    /// Seconds after the end of this cue's crossing and fades.
    case end(Double)

    /// The delay in seconds.
    public var seconds: Double {
      switch self {
      case .begin(let seconds), .end(let seconds): seconds
      }
    }
  }

  /// The range of a follow-on's delay, in seconds.
  static let times = 0.0...86_400

  /// The number, which orders the cues.
  public let number: CueNumber
  /// The label; empty without one.
  public let label: String
  /// The action.
  public let action: ShowAction
  /// The follow-on to the next cue; nil: the next cue waits for a go.
  public let followOn: FollowOn?
  /// The cue that comes next; nil: the one with the next number.
  public let link: CueNumber?
}

/// A choice of a cue.
public enum CueChoice: Equatable, Sendable {
  /// The next one.
  case go
  /// The cue with the number before, without its follow-on.
  case back
  /// The cue with a number.
  case number(CueNumber)
  /// No cue: a waiting follow-on is cancelled.
  case stop
  /// The next cue, by a follow-on that is due at a time of the frame clock, in seconds.
  case followOn(at: Double)
}
