import CJack
import Engine
import Realtime
import Synchronization

/// The state of the control thread of a JACK host. [jack]
struct JackState {
  /// The client; nil while there is no server.
  private(set) var client: JackClient?
  /// The sample rate in Hz, as last reported.
  var rate = 0
  /// Whether there has been a server.
  private(set) var hasHadServer = false
  /// Whether another host runs the cycles (stand-by): the owner's callbacks are not called.
  var isHeld = false
  /// Whether a try has found no server at all.
  var hasFoundNone = false
  /// When to try to open a client next, in seconds of the monotonic clock.
  var nextOpening = 0.0
  /// When to look at ports and connections next, whether or not events were reported.
  var nextLook = 0.0
  /// The longest time between two such looks, in seconds: each asks the server for every port.
  static let longestRest = 5.0
  /// The time without a cycle after which a new client is opened, in seconds. It doubles each time that this did not
  /// help.
  var stallTimeout = Self.initialStallTimeout
  /// The initial `stallTimeout`, in seconds.
  static let initialStallTimeout = 3.0
  /// The number of failed activations in a row.
  var refusals = 0
  /// Whether it was reported that metadata does not answer.
  private var hasReportedMetadata = false
  /// Whether it was reported why no new client can be opened.
  var hasComplained = false
  /// Whether a permanent refusal was reported.
  var hasFailed = false
  /// The ports that are registered, or refused, by number.
  private(set) var ports: [Int: HostPort] = [:]
  var connections = JackConnections()
  /// Notifications that are not delivered yet.
  private var notifications: [JackNotification] = []
  private var reported = Reported()
  /// Invalid patterns that were reported, as `PORT/PATTERN`.
  var badPatterns: Set<String> = []
  /// The names of refused ports that are not reported yet.
  private var refused: [String] = []
  /// Connections that were reported but do not exist: either their end is reported next, or a late cycle has yet to
  /// make them.
  var absent: [Pair: (link: JackLink, ends: JackConnections.Ends)] = [:]

  /// Two ports by the server's numbers.
  struct Pair: Hashable {
    var a: UInt32
    var b: UInt32
  }

  /// The values of the last reports.
  private struct Reported {
    var xruns: UInt64 = 0
    var xrunsTime = 0.0
    var period: UInt32 = 0
    var isFreewheeling = false
  }

  /// The ports by number.
  var orderedPorts: [HostPort] { ports.values.sorted { $0.number < $1.number } }

  mutating func report(_ fact: JackNotification) { notifications.append(fact) }

  mutating func takeNotifications() -> [JackNotification] {
    let taken = notifications
    notifications = []
    return taken
  }

  // MARK: - Clients

  /// Takes over a new client; its ports are not registered yet.
  mutating func adopt(_ new: JackClient) {
    client = new
    rate = new.rate
    hasHadServer = true
    hasComplained = false
    nextLook = 0
    reported.period = new.period
    reported.isFreewheeling = false
  }

  /// Gives up and returns the client. Its server ended at `time`, in seconds of the monotonic clock, or it is to be
  /// closed.
  mutating func leave(at time: Double) -> JackClient? {
    connections.serverLost(at: time)
    absent = [:]
    defer { client = nil }
    return client
  }

  // MARK: - Ports

  /// Registers the requested ports with a new client.
  mutating func makePorts(_ wanted: [Int: HostPort]) {
    for old in ports.values {
      guard let new = wanted[old.number], new.name == old.name else {
        connections.forget(port: old.name)
        continue
      }
      if new.connect != old.connect { connections.ruleChanged(port: new.name) }
    }
    ports = wanted
    for port in orderedPorts { register(port) }
    reportRefused()
  }

  /// Registers and unregisters ports until they are the requested ones. A port that exists keeps its connections.
  mutating func follow(_ wanted: [Int: HostPort]) {
    guard wanted != ports else { return }
    let before = ports
    // All ports are stored before the first is registered, because `register` looks at the directions of all.
    ports = wanted
    for old in before.values.sorted(by: { $0.number < $1.number }) where wanted[old.number] == nil {
      giveUp(old)
    }
    for port in orderedPorts {
      guard let old = before[port.number] else {
        register(port)
        continue
      }
      if old == port { continue }
      if old.name != port.name || old.direction != port.direction {
        giveUp(old)
        register(port)
        continue
      }
      if old.connect != port.connect { connections.ruleChanged(port: port.name) }
      if old.label != port.label || old.order != port.order { client?.describe(port) }
    }
    reportRefused()
  }

  /// Registers a port, if there is a server.
  mutating func register(_ port: HostPort) {
    guard let client, client.loss == nil else { return }
    // A terminal port passes no sound on to other ports. Only the graph knows whether ours do; with ports of one
    // direction they cannot.
    let isTerminal = Set(ports.values.map(\.direction)).count == 1
    if !client.register(port, isTerminal: isTerminal) { refused.append(port.name) }
  }

  /// Reports all refused ports at once: a full server refuses many.
  private mutating func reportRefused() {
    if !refused.isEmpty { report(.portsRefused(refused)) }
    refused = []
  }

  private mutating func giveUp(_ port: HostPort) {
    connections.forget(port: port.name)
    client?.unregister(port.number)
  }

  // MARK: - Transport

  /// Makes the server's transport wait for this client while a player follows it, and only then.
  func waitForFollowers(_ transport: HostTransport) {
    guard let client, client.loss == nil else { return }
    client.waitForFollowers(transport.shared.pointee.isFollowed)
  }

  // MARK: - Reports

  /// Reports the counters that have changed.
  mutating func takeNumbers(_ counters: UnsafeMutablePointer<JackCounters>, at time: Double) {
    let period = counters.pointee.period.load(ordering: .relaxed)
    if period != reported.period {
      reported.period = period
      report(.periodChanged(Int(period)))
    }
    let isFreewheeling = counters.pointee.isFreewheeling.load(ordering: .relaxed)
    if isFreewheeling != reported.isFreewheeling {
      reported.isFreewheeling = isFreewheeling
      report(.freewheel(isFreewheeling))
    }
    let xruns = counters.pointee.xruns.load(ordering: .relaxed)
    if xruns != reported.xruns, time >= reported.xrunsTime + 1 {
      reported.xruns = xruns
      reported.xrunsTime = time
      report(.xruns(xruns))
    }
  }

  /// Reports once that metadata cannot be published.
  mutating func takeMetadata() {
    guard !hasReportedMetadata, client?.hasStuckMetadata == true else { return }
    hasReportedMetadata = true
    report(.metadataStuck)
  }

  /// A snapshot for other threads; with `ofAll`, it has the ports of all clients.
  func observation(ofAll: Bool) -> JackSharedState.Observation {
    guard let client, client.loss == nil else {
      return .init(name: client?.name ?? "", hasServer: false, rate: rate)
    }
    var connections: [String: [String]] = [:]
    for port in ports.values { connections[port.name] = client.connections(of: port.number).sorted() }
    return .init(
      name: client.name, hasServer: true, rate: rate, load: client.load,
      outputLatency: client.outputLatency, connections: connections,
      outputs: ofAll ? client.ports(flags: UInt(JackPortIsOutput.rawValue)) : [],
      inputs: ofAll ? client.ports(flags: UInt(JackPortIsInput.rawValue)) : [])
  }

  /// Whether to look at ports and connections now.
  func isLookDue(at time: Double) -> Bool {
    time >= min(nextLook, connections.nextDecision ?? .infinity, connections.nextAttempt ?? .infinity)
  }

  /// When the control thread wakes up without a post, in seconds of the monotonic clock: at least once a second, for
  /// the counters.
  func nextWake(after time: Double) -> Double {
    guard client != nil else { return nextOpening }
    let soon = absent.isEmpty ? time + 1 : time + 0.05
    let times = [soon, connections.nextDecision, connections.nextAttempt]
    return max(times.compactMap { $0 }.min() ?? time + 1, time + 0.02)
  }
}
