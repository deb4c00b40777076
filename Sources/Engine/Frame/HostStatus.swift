/// The state of a host at one moment. [any]
public struct HostStatus: Equatable, Sendable {
  /// A port and its connections.
  public struct Port: Equatable, Sendable {
    /// The port as the plan requests it.
    public var port: HostPort
    /// The port's full name at the sound server, such as `visgraph:in_1`.
    public var fullName: String
    /// Full names of the ports that it is connected to, in order.
    public var connections: [String]

    /// A port with its connections.
    public init(port: HostPort, fullName: String, connections: [String]) {
      (self.port, self.fullName, self.connections) = (port, fullName, connections)
    }
  }

  /// The host's name on the command line and in messages, such as `clock`.
  public var name: String
  /// The phrase that follows `runs` in messages: `by the clock`, `in JACK`.
  public var manner: String
  /// The sound server; nil for a host without one.
  public var server: HostServer?
  /// Samples per second; 0 before the first server.
  public var rate: Int
  /// Samples per cycle; 0 before the first server, and where the host has no fixed cycle.
  public var period = 0
  /// Overruns and underruns since the host was created.
  public var xruns: UInt64 = 0
  /// The share of a period that the cycle takes in all clients, in percent.
  public var load: Float = 0
  /// Samples from the beginning of a cycle until its output is heard, as the server reports it; 0 where our ports are
  /// not connected to a loudspeaker.
  public var outputLatency = 0
  /// Whether cycles come as fast as possible.
  public var isFreewheeling = false
  /// Whether the host locks memory; the system may forbid it.
  public var locksMemory = false
  /// The ports by number.
  public var ports: [Port] = []

  /// Makes a status without cycles or ports.
  public init(name: String, manner: String, server: HostServer? = nil, rate: Int) {
    (self.name, self.manner, self.server, self.rate) = (name, manner, server, rate)
  }

  /// Seconds from the beginning of a cycle until its output is heard; 0 where it is not heard.
  public var outputDelay: Double { rate > 0 ? Double(outputLatency) / Double(rate) : 0 }
}

/// The sound server of which a host is a client. [any]
public struct HostServer: Equatable, Sendable {
  /// Whether the server is there.
  public enum State: Equatable, Sendable {
    /// No server has been found yet.
    case waiting
    /// The server runs cycles.
    case running
    /// The server exists, but runs no cycles.
    case stalled
    /// The server has ended.
    case lost
  }

  /// Its name in messages, such as `JACK`.
  public var name: String
  /// The client's name at the server; before there is a server, the name to request.
  public var client: String
  /// The server's state.
  public var state: State
  /// The command that connects two ports, such as `jack_connect`.
  public var connect: String
  /// The commands that start a server, for messages.
  public var start: String

  /// Makes the description of a server.
  public init(name: String, client: String, state: State, connect: String, start: String) {
    (self.name, self.client, self.state) = (name, client, state)
    (self.connect, self.start) = (connect, start)
  }

  /// Whether there is a server now, even one that runs no cycles.
  public var isThere: Bool { state == .running || state == .stalled }
}

/// Full names of the ports of all clients of a sound server. [any]
public struct HostPatchbay: Equatable, Sendable {
  /// The ports that give sound.
  public var outputs: [String]
  /// The ports that take sound.
  public var inputs: [String]

  /// Makes a list of ports.
  public init(outputs: [String], inputs: [String]) { (self.outputs, self.inputs) = (outputs, inputs) }
}
