import CJack
import Engine
import Realtime
import Synchronization

/// What the control thread of a JACK host knows. [jack]
struct JackState {
  /// The client; nil while there is no server.
  private(set) var client: JackClient?
  /// Samples a second, as last reported.
  var rate = 0
  /// Whether there has been a server.
  private(set) var hasHadServer = false
  /// Whether another host has the cycles, and what becomes of the client is not reported.
  var isHeld = false
  /// Whether an opening has found no server at all.
  var hasFoundNone = false
  /// When to look for a server again.
  var nextOpening = 0.0
  /// When ports and connections are looked at, whether or not anything is reported of them.
  var nextLook = 0.0
  /// The longest time between two such looks, in seconds: each asks the server for every port.
  static let longestRest = 5.0
  /// How long no cycle may run before the client is opened anew, in seconds; longer each time that this did not help.
  var patience = Self.patience
  /// The least of that.
  static let patience = 3.0
  /// How many clients in a row were not let run.
  var refusals = 0
  /// Whether it was reported that the metadata does not answer.
  private var hasReportedMetadata = false
  /// Whether the trouble in coming back was reported.
  var hasComplained = false
  /// Whether it was reported that waiting is of no use.
  var hasFailed = false
  private(set) var ports: [Int: HostPort] = [:]
  var connections = JackConnections()
  private var notifications: [JackNotification] = []
  private var reported = Reported()
  var badPatterns: Set<String> = []
  private var refused: [String] = []
  /// Connections reported that are not there: their end is reported next, or a late cycle has yet to make them.
  var absent: [Pair: (link: JackLink, ends: JackConnections.Ends)] = [:]

  /// Two ports by the server's numbers.
  struct Pair: Hashable {
    var a: UInt32
    var b: UInt32
  }

  /// What was reported last.
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

  /// Works with a new client from now on; makes its ports.
  mutating func adopt(_ new: JackClient) {
    client = new
    rate = new.rate
    hasHadServer = true
    hasComplained = false
    nextLook = 0
    reported.period = new.period
    reported.isFreewheeling = false
  }

  /// Lets go of the client; its server went away at `time`, in seconds of the monotonic clock, or it is to be closed.
  mutating func leave(at time: Double) -> JackClient? {
    connections.serverLost(at: time)
    absent = [:]
    defer { client = nil }
    return client
  }

  // MARK: - Ports

  /// Makes the wanted ports of a new client.
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

  /// Brings the ports to what is wanted. A port that is already there keeps its connections.
  mutating func follow(_ wanted: [Int: HostPort]) {
    guard wanted != ports else { return }
    let before = ports
    // All are noted before the first is made, so that each knows of the other direction.
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

  /// Makes a port in JACK, if there is a server.
  mutating func register(_ port: HostPort) {
    guard let client, client.loss == nil else { return }
    // Whether sound goes on from one port to another only the graph knows; with ports of one direction it cannot.
    let isTerminal = Set(ports.values.map(\.direction)).count == 1
    if !client.register(port, isTerminal: isTerminal) { refused.append(port.name) }
  }

  /// A server that is full refuses many at once.
  private mutating func reportRefused() {
    if !refused.isEmpty { report(.portsRefused(refused)) }
    refused = []
  }

  private mutating func giveUp(_ port: HostPort) {
    connections.forget(port: port.name)
    client?.unregister(port.number)
  }

  // MARK: - Transport

  /// Lets the server's transport wait for us while anybody follows it, and not longer.
  func waitForFollowers(_ transport: HostTransport) {
    guard let client, client.loss == nil else { return }
    client.waitForFollowers(transport.shared.pointee.isFollowed)
  }

  // MARK: - What happens

  /// Notes what changed in the numbers.
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

  /// Says once when what ports are called cannot be published.
  mutating func takeMetadata() {
    guard !hasReportedMetadata, client?.hasStuckMetadata == true else { return }
    hasReportedMetadata = true
    report(.metadataStuck)
  }

  /// What others may see of it; `ofAll`: with everybody's ports.
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

  /// Whether ports and connections have to be looked at.
  func isLookDue(at time: Double) -> Bool {
    time >= min(nextLook, connections.nextDecision ?? .infinity, connections.nextAttempt ?? .infinity)
  }

  /// When the control thread has something to do without a wake-up: at least once a second, for the numbers.
  func nextWake(after time: Double) -> Double {
    guard client != nil else { return nextOpening }
    let soon = absent.isEmpty ? time + 1 : time + 0.05
    let times = [soon, connections.nextDecision, connections.nextAttempt]
    return max(times.compactMap { $0 }.min() ?? time + 1, time + 0.02)
  }
}
