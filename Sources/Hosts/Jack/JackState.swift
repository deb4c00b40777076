import Graphs
import Realtime
import Synchronization

/// What the control side of a JACK host knows; only under the host's lock. [control]
struct JackState {
  /// The client; nil while there is no server.
  private(set) var client: JackClient?
  /// The name to come back under.
  var name = ""
  /// Samples a second, as last told.
  var rate = 0
  /// Whether cycles are wanted.
  var isStarted = false
  /// Whether the control thread was started.
  private(set) var hasThread = false
  /// When to look for a server again; only while one was lost.
  var nextOpening: Double?
  /// Whether the trouble in coming back was reported.
  var hasComplained = false
  private var ports: [Int: HostPort] = [:]
  private var connections = JackConnections()
  private var facts: [JackFact] = []
  private var told = Told()
  private var badPatterns: Set<String> = []

  /// What was reported last.
  private struct Told {
    var xruns: UInt64 = 0
    var xrunsTime = 0.0
    var period: UInt32 = 0
    var isFreewheeling = false
  }

  /// The ports by number.
  var orderedPorts: [HostPort] { ports.values.sorted { $0.number < $1.number } }

  mutating func tell(_ fact: JackFact) { facts.append(fact) }

  mutating func takeFacts() -> [JackFact] {
    let taken = facts
    facts = []
    return taken
  }

  // MARK: - Clients

  /// Works with a new client from now on.
  mutating func adopt(_ new: JackClient) {
    client = new
    name = new.name
    rate = new.rate
    hasThread = true
    nextOpening = nil
    hasComplained = false
    told.period = new.period
    told.isFreewheeling = false
  }

  /// Lets go of the client; its server went away or it is to be closed.
  mutating func leave() -> JackClient? {
    connections.serverLost()
    defer { client = nil }
    return client
  }

  // MARK: - Ports

  mutating func provide(_ list: [HostPort]) {
    // All are noted before the first is made, so that each knows of the other direction.
    let before = ports
    for port in list { ports[port.number] = port }
    for port in list {
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
  }

  mutating func retire(except list: [HostPort]) {
    let kept = Set(list.map(\.number))
    for port in orderedPorts where !kept.contains(port.number) {
      ports[port.number] = nil
      giveUp(port)
    }
  }

  /// Makes a port in JACK, if there is a server.
  mutating func register(_ port: HostPort) {
    guard let client, client.loss == nil else { return }
    // Whether sound goes on from one port to another only the graph knows; with ports of one direction it cannot.
    let isTerminal = Set(ports.values.map(\.direction)).count == 1
    if !client.register(port, isTerminal: isTerminal) { tell(.portRefused(port.name)) }
  }

  private mutating func giveUp(_ port: HostPort) {
    connections.forget(port: port.name)
    client?.unregister(port.number)
  }

  // MARK: - Transport

  /// Lets the server's transport wait for us while anybody follows it, and not longer.
  func waitForFollowers(_ transport: HostTransport) {
    guard let client, client.loss == nil else { return }
    client.waitForFollowers(transport.words.pointee.isFollowed)
  }

  // MARK: - What happens

  /// Takes in what the library told since the last time.
  mutating func takeEvents(at time: Double) {
    guard let client else { return }
    for event in client.events.take() {
      switch event {
      case .registered(let id):
        if let name = client.name(of: id) { connections.appeared(client.remembered(name)) }
      case .unregistered(let id): connections.vanished(id)
      case .renamed(let id):
        guard let name = client.name(of: id) else { continue }
        connections.renamed(id, to: client.remembered(name))
        connections.appeared(client.remembered(name))
      case .connected(let a, let b): connected(a, b, client)
      case .disconnected(let a, let b):
        let link =
          connections.disconnected(.init(port: a, other: b), at: time)
          ?? connections.disconnected(.init(port: b, other: a), at: time)
        if let link { tell(.disconnected(port: link.port, other: client.full(link.other))) }
      }
    }
    connections.settle(at: time) { client.exists(client.full($0)) }
  }

  private mutating func connected(_ a: UInt32, _ b: UInt32, _ client: JackClient) {
    guard let nameA = client.name(of: a), let nameB = client.name(of: b) else { return }
    // The first is where sound comes from; a connection of two ports of our own belongs to it.
    let ends: JackConnections.Ends
    let link: JackLink
    if let port = ownPort(nameA, client) {
      link = JackLink(port: port, other: client.remembered(nameB))
      ends = .init(port: a, other: b)
    } else if let port = ownPort(nameB, client) {
      link = JackLink(port: port, other: client.remembered(nameA))
      ends = .init(port: b, other: a)
    } else {
      return
    }
    if connections.connected(link, ends) { tell(.connected(port: link.port, other: client.full(link.other))) }
  }

  private func ownPort(_ full: String, _ client: JackClient) -> String? {
    guard client.isOwn(full) else { return nil }
    let short = String(full.dropFirst(client.name.count + 1))
    return ports.values.contains { $0.name == short } ? short : nil
  }

  /// Notes what changed in the numbers.
  mutating func takeNumbers(_ counters: UnsafeMutablePointer<JackCounters>, at time: Double) {
    let period = counters.pointee.period.load(ordering: .relaxed)
    if period != told.period {
      told.period = period
      tell(.periodChanged(Int(period)))
    }
    let isFreewheeling = counters.pointee.isFreewheeling.load(ordering: .relaxed)
    if isFreewheeling != told.isFreewheeling {
      told.isFreewheeling = isFreewheeling
      tell(.freewheel(isFreewheeling))
    }
    let xruns = counters.pointee.xruns.load(ordering: .relaxed)
    if xruns != told.xruns, time >= told.xrunsTime + 1 {
      told.xruns = xruns
      told.xrunsTime = time
      tell(.xruns(xruns))
    }
  }

  // MARK: - Connecting

  /// Asks for the connections that are wanted and not there, and takes away those that a rule no longer gives.
  mutating func reconcile(at time: Double) {
    guard let client, client.isActive, client.loss == nil else { return }
    let finder = JackTargets(of: client)
    var targets: Set<JackLink> = []
    for port in orderedPorts where client.own[port.number] != nil {
      let found = finder.find(port)
      targets.formUnion(found.links)
      for pattern in found.badPatterns where badPatterns.insert(port.name + "/" + pattern).inserted {
        tell(.badPattern(port: port.name, pattern: pattern))
      }
    }
    let names = Set(ports.values.map(\.name))
    let plan = connections.plan(targets: targets, ports: names, at: time) { client.exists(client.full($0)) }
    for link in plan.disconnect { client.disconnect(link) }
    for link in plan.connect {
      let number = client.connect(link)
      if number != 0 { connections.failed(link, number: number) }
    }
    for (link, number) in plan.refused {
      tell(.connectionRefused(port: link.port, other: client.full(link.other), number: number))
    }
    client.noteConnections(of: ports.values.filter { $0.direction == .input })
  }

  /// When the control thread has something to do without being rung: at least once a second, for the numbers.
  func nextWake(after time: Double) -> Double {
    let times = [time + 1, connections.nextDecision, connections.nextAttempt, nextOpening]
    return max(times.compactMap { $0 }.min() ?? time + 1, time + 0.02)
  }
}
