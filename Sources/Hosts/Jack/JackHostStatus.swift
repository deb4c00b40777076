public import Graphs

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
  /// Whether cycles come as fast as they can.
  public var isFreewheeling: Bool
  /// The ports by number.
  public var ports: [Port]
}
