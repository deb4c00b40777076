/// Which connections there are, which are wanted, and why. Calls no library: is given what happened, and says what to
/// ask for. [jack]
///
/// Wanted are those that the rules of the ports give and those that the user made, but none that the user took away. What
/// ends together with the server is still wanted when it is back. What ends together with its peer alone is wanted again
/// where a rule gives it; what the user made is not, as everywhere in JACK. A port's end is told by its number, a new port
/// of the same name is another port: it gets nothing of what was made with the old one.
struct JackConnections {
  /// How long after a disconnection its peer must still exist to make it the user's doing, in seconds.
  static var doubt: Double { 0.3 }
  /// How long after its peer has gone the server must still be there to make that the peer's own end, in seconds: some
  /// servers take their ports away before they are seen to go.
  static var farewell: Double { 1 }
  /// How many connections are remembered that the user made.
  static var mostRequested: Int { 4096 }
  /// How often a connection is asked for before it is reported as refused, once a second.
  static var attempts: Int { 5 }

  /// The connections there are, with the server's numbers of our port and the other.
  private(set) var present: [JackLink: Ends] = [:]
  /// Those the user made, whether or not they exist now.
  private(set) var requested: Set<JackLink> = []
  /// Those of them that were there when the server went, and have not come back yet, oldest first.
  private var awaited: [JackLink] = []
  /// Those that a rule gives and the user took away.
  private(set) var unwanted: Set<JackLink> = []
  private var made: Set<JackLink> = []
  private var doubtful: [JackLink: Doubt] = [:]
  private var tries: [JackLink: Try] = [:]

  /// The server's numbers of two ports.
  struct Ends: Equatable {
    var port: UInt32
    var other: UInt32
  }
  private struct Doubt {
    var other: UInt32
    var time: Double
    /// When it is decided.
    var decision: Double
    /// Whether its peer has gone.
    var isAlone = false
  }
  private struct Try {
    var count = 0
    var next = 0.0
    var number = 0
  }

  // MARK: - What happened

  /// A connection was made. False when it was known.
  mutating func connected(_ link: JackLink, _ ends: Ends) -> Bool {
    // A number that has another name by now is another port's: the connection of the one before has ended with it.
    for (old, other) in present where other == ends && old != link { drop(old) }
    doubtful[link] = nil
    tries[link] = nil
    if let index = awaited.firstIndex(of: link) { awaited.remove(at: index) }
    if !made.contains(link) {
      // More than anybody patches by hand: what has not come back for longest is forgotten.
      if requested.count >= Self.mostRequested, let oldest = awaited.first {
        awaited.removeFirst()
        requested.remove(oldest)
      }
      if requested.count < Self.mostRequested { requested.insert(link) }
      unwanted.remove(link)
    }
    return present.updateValue(ends, forKey: link) == nil
  }

  /// A connection ended at `time`. Returns it if it was known.
  mutating func disconnected(_ ends: Ends, at time: Double) -> JackLink? {
    guard let link = present.first(where: { $0.value == ends })?.key else { return nil }
    present[link] = nil
    if made.contains(link) || requested.contains(link) {
      doubtful[link] = Doubt(other: ends.other, time: time, decision: time + Self.doubt)
    }
    return link
  }

  /// A port of the server went away at `time`: what ended with it was not taken away by the user. Returns those connections
  /// whose end was not told before: JACK says nothing of one that is made and ends with its port within a cycle.
  mutating func vanished(_ id: UInt32, at time: Double) -> [JackLink] {
    let untold = present.filter { $0.value.other == id }
    for ends in untold.values { _ = disconnected(ends, at: time) }
    for (link, doubt) in doubtful where doubt.other == id {
      // A rule makes it again as soon as the peer is back.
      guard requested.contains(link) else {
        doubtful[link] = nil
        continue
      }
      doubtful[link]?.isAlone = true
      doubtful[link]?.decision = doubt.time + Self.farewell
    }
    return untold.keys.sorted(by: JackLink.inOrder)
  }

  /// A port of this name is there: what was refused is tried again. A server that registers it did not end with the port
  /// that had the name before, so what the user made with that one has ended.
  mutating func appeared(_ other: String) {
    for link in tries.keys where link.other == other { tries[link] = nil }
    for (link, doubt) in doubtful where link.other == other && doubt.isAlone { drop(link) }
  }

  /// Remembers a connection no more; where a rule gives it, it is made again.
  private mutating func drop(_ link: JackLink) {
    present[link] = nil
    doubtful[link] = nil
    requested.remove(link)
  }

  /// A port of the server has another name now.
  mutating func renamed(_ id: UInt32, to other: String) {
    for (link, ends) in present where ends.other == id && link.other != other {
      let new = JackLink(port: link.port, other: other)
      present[link] = nil
      present[new] = ends
      if made.remove(link) != nil { made.insert(new) }
      if requested.remove(link) != nil { requested.insert(new) }
    }
  }

  /// Our port was given up: nothing that happens to it from now on means anything.
  mutating func forget(port: String) {
    for (link, doubt) in doubtful where link.port == port && doubt.isAlone { drop(link) }
    present = present.filter { $0.key.port != port }
    made = made.filter { $0.port != port }
    doubtful = doubtful.filter { $0.key.port != port }
    tries = tries.filter { $0.key.port != port }
  }

  /// The rule of a port is another: what the user had against the old one is forgotten.
  mutating func ruleChanged(port: String) {
    unwanted = unwanted.filter { $0.port != port }
    tries = tries.filter { $0.key.port != port }
  }

  /// Decides about disconnections that are old enough. `exists` says whether a port of that name is there.
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

  /// When `settle` has something to decide.
  var nextDecision: Double? { doubtful.values.map(\.decision).min() }

  /// The server went away at `time`, and all connections with it; what is wanted is still wanted, also what ended just
  /// before.
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

  // MARK: - What to do

  /// What to ask for now. `targets` is what the rules give, restricted to ports that exist; `exists` says whether a
  /// port of that name is there.
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
    // What is taken away on purpose was not taken away by the user.
    made.subtract(disconnect)
    return (connect, disconnect.sorted(by: JackLink.inOrder), refused)
  }

  /// JACK answered with a number instead of a connection.
  mutating func failed(_ link: JackLink, number: Int) { tries[link]?.number = number }

  /// When `plan` has something to try again.
  var nextAttempt: Double? { tries.values.filter { $0.count <= Self.attempts }.map(\.next).min() }
}

extension JackLink {
  /// By names, so that logs and tests do not depend on chance.
  static func inOrder(_ a: JackLink, _ b: JackLink) -> Bool { (a.port, a.other) < (b.port, b.other) }
}
