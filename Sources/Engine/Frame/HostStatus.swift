/// How a host stands at one moment. [any]
public struct HostStatus: Equatable, Sendable {
  /// A port and what it is connected to.
  public struct Port: Equatable, Sendable {
    /// The port as the plan asked for it.
    public var port: HostPort
    /// Its full name at the sound server, such as `visgraph:in_1`.
    public var fullName: String
    /// Full names of the ports it is connected to, in order.
    public var connections: [String]

    /// A port with its connections.
    public init(port: HostPort, fullName: String, connections: [String]) {
      (self.port, self.fullName, self.connections) = (port, fullName, connections)
    }
  }

  /// What the command line and messages call the host, such as `clock`.
  public var name: String
  /// How the cycles run, as it stands behind `runs`: `by the clock`, `in JACK`.
  public var manner: String
  /// The sound server; nil for a host without one, whose sound nothing is connected to.
  public var server: HostServer?
  /// Samples a second; 0 before the first server.
  public var rate: Int
  /// Samples in a cycle; 0 before the first server, and where nothing depends on it.
  public var period = 0
  /// Overruns and underruns since the host was made.
  public var xruns: UInt64 = 0
  /// The share of a period that the cycle of all clients takes, in percent.
  public var load: Float = 0
  /// Samples from the beginning of a cycle until what leaves our ports in it is heard, as the server says; 0 where they
  /// lead nowhere.
  public var outputLatency = 0
  /// Whether cycles come as fast as they can.
  public var isFreewheeling = false
  /// Whether the host locks memory, which the system must allow.
  public var locksMemory = false
  /// The ports by number.
  public var ports: [Port] = []

  /// A host that only says what it is called.
  public init(name: String, manner: String, server: HostServer? = nil, rate: Int) {
    (self.name, self.manner, self.server, self.rate) = (name, manner, server, rate)
  }

  /// Seconds from the beginning of a cycle until what leaves our ports in it is heard; 0 where nothing is.
  public var outputDelay: Double { rate > 0 ? Double(outputLatency) / Double(rate) : 0 }
}

/// The sound server that a host is a client of, as the host sees it. [any]
public struct HostServer: Equatable, Sendable {
  /// Whether the server is there.
  public enum State: Equatable, Sendable {
    /// None has been there yet.
    case waiting
    /// It is there and runs cycles.
    case running
    /// It is there, but runs no cycles.
    case stalled
    /// It has gone.
    case lost
  }

  /// What a sentence calls it, such as `JACK`.
  public var name: String
  /// The client's name there; the one asked for while there is no server.
  public var client: String
  /// Whether it is there.
  public var state: State
  /// The command that connects two ports, such as `jack_connect`.
  public var connect: String
  /// Commands that start a server, for a sentence.
  public var start: String

  /// A server in a state.
  public init(name: String, client: String, state: State, connect: String, start: String) {
    (self.name, self.client, self.state) = (name, client, state)
    (self.connect, self.start) = (connect, start)
  }

  /// Whether a server is there now, even one that runs no cycles.
  public var isThere: Bool { state == .running || state == .stalled }
}

/// Full names of the ports of all clients of a sound server. [any]
public struct HostPatchbay: Equatable, Sendable {
  /// Those that give sound.
  public var outputs: [String]
  /// Those that take it.
  public var inputs: [String]

  /// Ports of both kinds.
  public init(outputs: [String], inputs: [String]) { (self.outputs, self.inputs) = (outputs, inputs) }
}
