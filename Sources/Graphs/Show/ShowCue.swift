public import OSC

/// The number of a cue: 1, 2, 2.5, in thousandths, so that there is room between any two. [any]
public struct CueNumber: Comparable, Hashable, Sendable, CustomStringConvertible {
  /// What it looks like.
  static let pattern = "^[0-9]{1,5}(\\.[0-9]{1,3})?$"
  /// In thousandths.
  private let thousandths: Int

  /// Reads `2` or `2.5`; nil for what is no number of a cue.
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

  /// In the order in which they are done.
  public static func < (one: CueNumber, other: CueNumber) -> Bool { one.thousandths < other.thousandths }

  /// As people write it.
  public var description: String { shortest(Double(thousandths) / 1000) }
}

/// What a cue or an alarm has done: a scene, messages, or both. [any]
public struct ShowAction: Equatable, Sendable {
  /// The scene that the show goes to.
  public var scene: String?
  /// In how many seconds; nil: as the scene says.
  public var seconds: Double?
  /// Messages of the control port and to other programs, in order.
  public var messages: [MessageText]
  /// The same as the file has them.
  public var sources: [String] = []
}

/// A cue of a graph. [any]
public struct ShowCue: Equatable, Sendable {
  /// When the next cue is gone to by itself.
  public enum FollowOn: Equatable, Sendable {
    /// So many seconds after this one has been gone to.
    case begin(Double)
    /// So many seconds after what it has done is over.
    case end(Double)

    /// How many.
    public var seconds: Double {
      switch self {
      case .begin(let seconds), .end(let seconds): seconds
      }
    }
  }

  /// The seconds of a follow-on.
  static let times = 0.0...86_400

  /// Its place.
  public let number: CueNumber
  /// What it is called; empty where nothing is said.
  public let label: String
  /// What it has done.
  public let action: ShowAction
  /// nil: the next waits for a go.
  public let followOn: FollowOn?
  /// The cue that comes next; nil: the one with the next number.
  public let link: CueNumber?
}

/// Which cue is meant.
public enum CueChoice: Equatable, Sendable {
  /// The next one.
  case go
  /// The one with the number before, without its follow-on.
  case back
  /// The one of a number.
  case number(CueNumber)
  /// None: the follow-on that waits does not come.
  case stop
  /// The next one, whose time has come at a second of the clock of frames.
  case followOn(at: Double)
}
