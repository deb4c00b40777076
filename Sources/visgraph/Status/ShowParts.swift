import Engine
import Graphs

extension ShowStatus {
  /// A node that is a source of sound.
  struct Source: Equatable, Sendable {
    enum Feed: Equatable, Sendable {
      /// JACK ports; each channel has its own connections.
      case jack
      /// An audio file.
      case file(File)
      /// Something else, by a description: `sine 440 Hz`.
      case other(String)
    }
    var id: String
    var feed: Feed
    var channels: [Channel]
  }

  /// An audio file that is played.
  struct File: Equatable, Sendable {
    var path: String
    /// The position in the file, in s.
    var position: Double
    /// The duration of the file, in s; nil: unknown.
    var length: Double?
    /// Whether it has ended and does not repeat.
    var hasEnded = false
    /// Whether its player is paused.
    var isHeld = false
    /// The fault in a sentence; nil: none.
    var fault: String?

    var name: String { path.split(separator: "/").last.map(String.init) ?? path }
  }

  struct Channel: Equatable, Sendable {
    /// Counted from 1.
    var number: Int
    var name: String?
    /// The full name of its JACK port, such as `visgraph:in_1`.
    var port: String?
    /// The full names of connected ports.
    var connections: [String] = []
    /// The mean level in dBFS, at least -160; nil: not measured.
    var average: Float?
    /// The held peak in dBFS; nil: not measured.
    var peak: Float?
    /// The time since the level was above -160 dBFS, in s; nil: it never was.
    var sinceSound: Double?
    /// The gate that the channel is wired to; nil: none.
    var gate: Gate?
  }

  /// A gate that a channel is wired to.
  struct Gate: Equatable, Sendable {
    var id: String
    var isOpen: Bool
    /// The level at its input.
    var level: Float
    /// The level at which it opens.
    var threshold: Float
    /// Whether both levels are in dBFS; else 0…1.
    var isDecibels = true
  }

  /// A node that is an output of sound.
  struct Output: Equatable, Sendable {
    struct Port: Equatable, Sendable {
      /// The short name, `ID_N`.
      var name: String
      /// The full names of connected ports.
      var connections: [String]
      /// The name of its channel; nil: none.
      var channel: String?
    }
    var id: String
    var ports: [Port]
  }

  /// A target of an output node.
  struct Target: Equatable, Sendable {
    var report: NodeReport
    /// Messages a second, averaged over about 1 s; nil: not known yet.
    var perSecond: Double?
    /// The levels that it is sent, by channel.
    var levels: [ShownLevel] = []
  }

  /// A level or number: as a target gets it, with all processing, master and blackout; or as a node measures it.
  struct ShownLevel: Equatable, Sendable {
    /// The channel, from 1.
    var number: Int
    /// The channel's name; nil: it has none.
    var name: String?
    var value: Float
    var type = PortType.level
    /// Nil: no unit.
    var unit: LevelUnit? = .ratio

    var label: String { name ?? String(number) }
  }

  /// The levels that a node measures from sound.
  struct Measurement: Equatable, Sendable {
    var id: String
    var levels: [ShownLevel]
  }

  struct GateState: Equatable, Sendable {
    struct Channel: Equatable, Sendable {
      var label: String
      var isOpen: Bool
    }
    var id: String
    var channels: [Channel]
  }

  struct EmitterState: Equatable, Sendable {
    var id: String
    /// Living particles, by channel.
    var alive: [Int]
    /// Why none of its particles is visible although there is sound; nil: one is, or that is not known.
    var nothing: String?
  }
}
