/// Decides which connections are wanted, from those that exist and from the reasons for which others ended. Calls no
/// library: it takes events and returns requests. [jack]
///
/// A connection is wanted if a rule of a port gives it or the user made it, unless the user removed it. A connection
/// that ends with the server is wanted when the server is back. A connection that ends with its peer, while the server
/// runs on, is wanted again if a rule gives it. If the user made it, it is not, as everywhere in JACK. Ports are
/// identified by the server's numbers: a new port of the same name inherits no connection that the user made with the
/// old one.
struct JackConnections {
  /// The reason of a disconnection is decided after this time, in seconds. If the peer still exists then, the user
  /// disconnected it.
  static var doubt: Double { 0.3 }
  /// The reason why a peer ended is decided after this time, in seconds. If the server still runs then, the peer ended
  /// by itself. Some servers remove their ports before their own end is seen.
  static var farewell: Double { 1 }
  /// The most connections of the user that are remembered.
  static var mostRequested: Int { 4096 }
  /// Requests for a connection, one a second, before it is reported as refused.
  static var attempts: Int { 5 }

  /// The connections that exist, with the server's numbers of their two ports.
  private(set) var present: [JackLink: Ends] = [:]
  /// The connections that the user made, whether or not they exist now.
  private(set) var requested: Set<JackLink> = []
  /// Those of `requested` that ended with the server and are not back yet, oldest first.
  private var awaited: [JackLink] = []
  /// The connections that a rule gives and the user removed.
  private(set) var unwanted: Set<JackLink> = []
  /// The connections that the host itself requested, because a rule gives them.
  private var made: Set<JackLink> = []
  /// The connections that ended for a reason that is not known yet.
  private var doubtful: [JackLink: Doubt] = [:]
  /// Requests that have not led to a connection yet.
  private var tries: [JackLink: Try] = [:]

  /// The server's numbers of two ports.
  struct Ends: Equatable {
    var port: UInt32
    var other: UInt32
  }
  private struct Doubt {
    var other: UInt32
    /// When the connection ended, in seconds of the monotonic clock.
    var time: Double
    /// When the reason is decided, in seconds of the monotonic clock.
    var decision: Double
    /// Whether the peer has gone.
    var isAlone = false
  }
  private struct Try {
    /// The number of requests so far.
    var count = 0
    /// The earliest time of the next one, in seconds of the monotonic clock.
    var next = 0.0
    /// JACK's error code of the last request; 0: none.
    var number = 0
  }

  // MARK: - Events

  /// Notes a new connection. Returns false if it was known.
  mutating func connected(_ link: JackLink, _ ends: Ends) -> Bool {
    // The server reuses numbers: the connection that had these numbers before has ended with its port.
    for (old, other) in present where other == ends && old != link { drop(old) }
    doubtful[link] = nil
    tries[link] = nil
    if let index = awaited.firstIndex(of: link) { awaited.remove(at: index) }
    if !made.contains(link) {
      // At the limit, the connection that has been missing for longest is forgotten.
      if requested.count >= Self.mostRequested, let oldest = awaited.first {
        awaited.removeFirst()
        requested.remove(oldest)
      }
      if requested.count < Self.mostRequested { requested.insert(link) }
      unwanted.remove(link)
    }
    return present.updateValue(ends, forKey: link) == nil
  }

  /// Notes that a connection ended at `time`. Returns it if it was known.
  mutating func disconnected(_ ends: Ends, at time: Double) -> JackLink? {
    guard let link = present.first(where: { $0.value == ends })?.key else { return nil }
    present[link] = nil
    if made.contains(link) || requested.contains(link) {
      doubtful[link] = Doubt(other: ends.other, time: time, decision: time + Self.doubt)
    }
    return link
  }

  /// Notes that a port of the server ended at `time`: the user did not remove its connections. Returns the connections
  /// whose end JACK has not reported. JACK reports no end of a connection that is made, and ends with its port, within
  /// one cycle.
  mutating func vanished(_ id: UInt32, at time: Double) -> [JackLink] {
    let unreported = present.filter { $0.value.other == id }
    for ends in unreported.values { _ = disconnected(ends, at: time) }
    for (link, doubt) in doubtful where doubt.other == id {
      // A rule makes it again as soon as the peer is back.
      guard requested.contains(link) else {
        doubtful[link] = nil
        continue
      }
      doubtful[link]?.isAlone = true
      doubtful[link]?.decision = doubt.time + Self.farewell
    }
    return unreported.keys.sorted(by: JackLink.inOrder)
  }

  /// Notes that there is a port of this name: refused connections to it are tried again. If an earlier port of that
  /// name has just ended, it ended alone, because the server still runs. So the connections that the user made with it
  /// are forgotten.
  mutating func appeared(_ other: String) {
    for link in tries.keys where link.other == other { tries[link] = nil }
    for (link, doubt) in doubtful where link.other == other && doubt.isAlone { drop(link) }
  }

  /// Forgets a connection. If a rule gives it, it is made again.
  private mutating func drop(_ link: JackLink) {
    present[link] = nil
    doubtful[link] = nil
    requested.remove(link)
  }

  /// Notes that a port of the server has a new name.
  mutating func renamed(_ id: UInt32, to other: String) {
    for (link, ends) in present where ends.other == id && link.other != other {
      let new = JackLink(port: link.port, other: other)
      present[link] = nil
      present[new] = ends
      if made.remove(link) != nil { made.insert(new) }
      if requested.remove(link) != nil { requested.insert(new) }
    }
  }

  /// Notes that a port of ours was given up: later events of it mean nothing.
  mutating func forget(port: String) {
    for (link, doubt) in doubtful where link.port == port && doubt.isAlone { drop(link) }
    present = present.filter { $0.key.port != port }
    made = made.filter { $0.port != port }
    doubtful = doubtful.filter { $0.key.port != port }
    tries = tries.filter { $0.key.port != port }
  }

  /// Notes that the rule of a port changed: connections that the user removed under the old rule are no longer
  /// unwanted.
  mutating func ruleChanged(port: String) {
    unwanted = unwanted.filter { $0.port != port }
    tries = tries.filter { $0.key.port != port }
  }

  /// Decides why connections ended, where enough time has passed. `exists` returns whether there is a port of that
  /// name.
  mutating func settle(at time: Double, exists: (String) -> Bool) {
    for (link, doubt) in doubtful where time >= doubt.decision {
      if !doubt.isAlone, !exists(link.other) {
        doubtful[link]?.isAlone = true
        doubtful[link]?.decision = doubt.time + Self.farewell
        continue
      }
      doubtful[link] = nil
      requested.remove(link)
      guard !doubt.isAlone else { continue }
      unwanted.insert(link)
      made.remove(link)
    }
  }

  /// When `settle` has to decide next; nil: nothing to decide.
  var nextDecision: Double? { doubtful.values.map(\.decision).min() }

  /// Notes that the server ended at `time`, with all connections. They stay wanted, and so do connections that ended
  /// just before.
  mutating func serverLost(at time: Double) {
    for (link, doubt) in doubtful where doubt.isAlone && doubt.decision < time { drop(link) }
    let known = Set(awaited)
    let lost = Set(present.keys).union(doubtful.keys).intersection(requested).subtracting(known)
    awaited += lost.sorted(by: JackLink.inOrder)
    present = [:]
    made = []
    doubtful = [:]
    tries = [:]
  }

  // MARK: - Requests

  /// Returns the requests to make now. `targets` are the connections that the rules give between existing ports;
  /// `exists` returns whether there is a port of that name. `refused` has JACK's error codes.
  mutating func plan(
    targets: Set<JackLink>, ports: Set<String>, at time: Double, exists: (String) -> Bool
  ) -> (connect: [JackLink], disconnect: [JackLink], refused: [(JackLink, Int)]) {
    var wanted = targets.subtracting(unwanted)
    wanted.formUnion(requested.filter { ports.contains($0.port) && exists($0.other) })
    tries = tries.filter { wanted.contains($0.key) }
    var connect: [JackLink] = []
    var refused: [(JackLink, Int)] = []
    for link in wanted.sorted(by: JackLink.inOrder) where present[link] == nil && doubtful[link] == nil {
      var attempt = tries[link] ?? Try()
      if attempt.count > Self.attempts || attempt.next > time { continue }
      attempt.count += 1
      attempt.next = time + 1
      tries[link] = attempt
      if attempt.count > Self.attempts {
        refused.append((link, attempt.number))
      } else {
        connect.append(link)
        if targets.contains(link) { made.insert(link) }
      }
    }
    let disconnect = present.keys.filter {
      made.contains($0) && !requested.contains($0) && !targets.contains($0)
    }
    // The host removes these itself: their end is not the user's doing.
    made.subtract(disconnect)
    return (connect, disconnect.sorted(by: JackLink.inOrder), refused)
  }

  /// Keeps JACK's error code of a failed request.
  mutating func failed(_ link: JackLink, number: Int) { tries[link]?.number = number }

  /// When `plan` has to try again; nil: nothing to try.
  var nextAttempt: Double? { tries.values.filter { $0.count <= Self.attempts }.map(\.next).min() }
}

extension JackLink {
  /// Orders connections by names, so that logs and tests are reproducible.
  static func inOrder(_ a: JackLink, _ b: JackLink) -> Bool { (a.port, a.other) < (b.port, b.other) }
}
