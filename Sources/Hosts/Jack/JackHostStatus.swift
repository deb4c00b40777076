public import Engine
import Graphs
import Synchronization

/// How a JACK host stands at one moment, for a screen. [any]
public struct JackHostStatus: Equatable, Sendable {
  /// A port and what it is connected to.
  public struct Port: Equatable, Sendable {
    /// The port as the plan asked for it.
    public var port: HostPort
    /// Its full name in JACK, such as `visgraph:in_1`.
    public var fullName: String
    /// Full names of the ports it is connected to, in order.
    public var connections: [String]
  }

  /// The client's real name; the one asked for while there is no server.
  public var name: String
  /// Whether a server is there.
  public var hasServer: Bool
  /// Whether one has been there since the host was made.
  public var hadServer: Bool
  /// Whether it is there but runs no cycles.
  public var isStalled: Bool
  /// Samples a second; 0 before the first server.
  public var rate: Int
  /// Samples in a cycle; 0 before the first server.
  public var period: Int
  /// Overruns and underruns since the host was made.
  public var xruns: UInt64
  /// The share of a period that the whole JACK graph takes, in percent.
  public var load: Float
  /// Samples from the beginning of a cycle until what leaves our ports in it is heard, as JACK tells it; 0 where they lead
  /// nowhere.
  public var outputLatency: Int
  /// Whether cycles come as fast as they can.
  public var isFreewheeling: Bool
  /// The ports by number.
  public var ports: [Port]
}

/// What JACK's threads tell of a host: numbers and flags that live as long as the host does. Any thread.
struct JackCounters: ~Copyable {
  /// Overruns and underruns since the host was made.
  let xruns = Atomic<UInt64>(0)
  /// When the last cycle began, in nanoseconds of the monotonic clock; 0 before the first.
  let lastCycle = Atomic<UInt64>(0)
  /// Samples in a cycle.
  let period = Atomic<UInt32>(0)
  /// Samples a second.
  let rate = Atomic<UInt32>(0)
  /// Counts calls of the library that came back, where many follow each other: whoever waits for them sees that they
  /// get on.
  let steps = Atomic<UInt64>(0)
  /// Since when the control thread has been asking the library for something, in nanoseconds of the monotonic clock; 0
  /// while it is not.
  let askingSince = Atomic<UInt64>(0)
  /// Whether cycles come as fast as they can.
  let isFreewheeling = Atomic<Bool>(false)
}
