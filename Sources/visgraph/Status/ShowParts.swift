import Engine
import Graphs

extension ShowStatus {
  /// A node that sound comes from.
  struct Source: Equatable, Sendable {
    /// What feeds it.
    enum Feed: Equatable, Sendable {
      /// JACK ports; every channel knows its own connections.
      case jack
      /// An audio file.
      case file(File)
      /// Something else, in words: `sine 440 Hz`.
      case other(String)
    }
    var id: String
    var feed: Feed
    var channels: [Channel]
  }

  /// An audio file as it plays.
  struct File: Equatable, Sendable {
    var path: String
    /// Seconds into the file.
    var position: Double
    /// Seconds; nil where unknown.
    var length: Double?
    /// Whether it has played to its end and will not start again.
    var hasEnded = false
    /// Whether its player holds still, so that silence is what was asked for.
    var isHeld = false
    /// What went wrong with it.
    var fault: String?

    var name: String { path.split(separator: "/").last.map(String.init) ?? path }
  }

  /// One channel of a source.
  struct Channel: Equatable, Sendable {
    /// From 1.
    var number: Int
    var name: String?
    /// Its port's full name in JACK, such as `visgraph:in_1`.
    var port: String?
    /// Full names of the ports it is connected to.
    var connections: [String] = []
    /// dBFS, -160 at the floor; nil where nothing measures it.
    var average: Float?
    /// The highest of late, in dBFS; nil where nothing measures it.
    var peak: Float?
    /// Seconds since it was last above the floor; nil if it never was.
    var sinceSound: Double?
    /// The gate that its level runs into; nil where there is none.
    var gate: Gate?
  }

  /// A gate that a channel's level runs into.
  struct Gate: Equatable, Sendable {
    var id: String
    var isOpen: Bool
    /// What arrives at it.
    var level: Float
    /// Where it opens.
    var threshold: Float
    /// Whether both are in dBFS; otherwise 0…1.
    var isDecibels = true
  }

  /// A node that sound leaves by.
  struct Output: Equatable, Sendable {
    /// One of its ports.
    struct Port: Equatable, Sendable {
      /// `ID_N`.
      var name: String
      /// Full names of the ports it is connected to.
      var connections: [String]
      /// What the channel is called that leaves by it.
      var channel: String?
    }
    var id: String
    var ports: [Port]
  }

  /// One target of one node.
  struct Target: Equatable, Sendable {
    var report: NodeReport
    /// Messages a second, over the last second or so; nil where unknown yet.
    var perSecond: Double?
    /// What is sent there, by channel.
    var levels: [ShownLevel] = []
  }

  /// A level or number: as a target gets it, behind every gate and range, master and blackout; or as a node measures it.
  struct ShownLevel: Equatable, Sendable {
    /// The channel, from 1.
    var number: Int
    /// What it is called, if anybody named it.
    var name: String?
    var value: Float
    var type = PortType.level
    /// Nil where it has none.
    var unit: LevelUnit? = .ratio

    /// What it is called in few words.
    var label: String { name ?? String(number) }
  }

  /// What a node measures of the sound that it hears.
  struct Measurement: Equatable, Sendable {
    var id: String
    var levels: [ShownLevel]
  }

  /// A gate by itself.
  struct GateState: Equatable, Sendable {
    /// One of its channels.
    struct Channel: Equatable, Sendable {
      var label: String
      var isOpen: Bool
    }
    var id: String
    var channels: [Channel]
  }

  /// An emitter by itself.
  struct EmitterState: Equatable, Sendable {
    var id: String
    /// Particles alive, by channel.
    var alive: [Int]
    /// Why nothing of it is to be seen although there is sound; nil where something is, or nobody knows.
    var nothing: String?
  }
}
