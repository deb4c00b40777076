import Engine

/// Takes the events of connections, and requests the wanted ones. [jack]
extension JackState {
  /// Takes the events that libjack has reported since the last call.
  ///
  /// - Parameter decides: whether to decide now why connections ended. False while no cycles run, because the server
  ///   may be about to end.
  mutating func takeEvents(at time: Double, decides: Bool = true) {
    guard let client else { return }
    // libjack lists the connections of the last cycle, and waits for the next one no longer than a cycle should take.
    // So one that was reported may not be listed yet.
    if decides {
      for (pair, (link, ends)) in absent where noteConnected(link, ends, client) {
        absent[pair] = nil
        nextLook = 0
      }
    }
    let events = client.events.take()
    var ends: [UInt32: Int] = [:]
    for (place, event) in events.enumerated() {
      if case .unregistered(let id) = event { ends[id] = place }
    }
    for (place, event) in events.enumerated() {
      switch event {
      case .registered(let id):
        if let name = client.name(of: id) { connections.appeared(client.remembered(name)) }
      case .unregistered(let id):
        for link in connections.vanished(id, at: time) {
          report(.disconnected(port: link.port, other: client.full(link.other)))
        }
        absent = absent.filter { $0.key.a != id && $0.key.b != id }
      case .renamed(let id):
        guard let name = client.name(of: id) else { continue }
        connections.renamed(id, to: client.remembered(name))
        connections.appeared(client.remembered(name))
      case .connected(let a, let b):
        let pair = Pair(a: a, b: b)
        // If one of the ports has ended since, its number may now be that of another port, which was not connected. If
        // the end is not reported yet, `.unregistered` removes the note made here.
        guard max(ends[a] ?? 0, ends[b] ?? 0) <= place, let (link, ends) = link(pair, client) else {
          continue
        }
        // It may have ended since.
        absent[pair] = noteConnected(link, ends, client) ? nil : (link, ends)
      case .disconnected(let a, let b):
        let link =
          connections.disconnected(.init(port: a, other: b), at: time)
          ?? connections.disconnected(.init(port: b, other: a), at: time)
        if link == nil, let link = absent.removeValue(forKey: Pair(a: a, b: b))?.link {
          report(.connected(port: link.port, other: client.full(link.other)))
          report(.disconnected(port: link.port, other: client.full(link.other)))
        }
        if let link { report(.disconnected(port: link.port, other: client.full(link.other))) }
      }
    }
    if decides { connections.settle(at: time) { client.exists(client.full($0)) } }
  }

  /// Notes a connection that was reported. Returns false where libjack does not list it.
  private mutating func noteConnected(_ link: JackLink, _ ends: JackConnections.Ends, _ client: JackClient)
    -> Bool
  {
    guard client.isConnected(link.port, to: client.full(link.other)) else { return false }
    if connections.connected(link, ends) {
      report(.connected(port: link.port, other: client.full(link.other)))
    }
    return true
  }

  /// The connection of two ports, one of which is ours; nil if a number has no port any more, or neither port is
  /// ours.
  private func link(_ pair: Pair, _ client: JackClient) -> (JackLink, JackConnections.Ends)? {
    guard let nameA = client.name(of: pair.a), let nameB = client.name(of: pair.b) else { return nil }
    // The first is the output. A connection between two ports of ours belongs to the output.
    if let port = ownPort(nameA, client) {
      return (JackLink(port: port, other: client.remembered(nameB)), .init(port: pair.a, other: pair.b))
    }
    if let port = ownPort(nameB, client) {
      return (JackLink(port: port, other: client.remembered(nameA)), .init(port: pair.b, other: pair.a))
    }
    return nil
  }

  /// The short name of a registered port of ours, from its full name; nil: it is none.
  private func ownPort(_ full: String, _ client: JackClient) -> String? {
    guard client.isOwn(full) else { return nil }
    let short = String(full.dropFirst(client.name.count + 1))
    return ports.values.contains { $0.name == short } ? short : nil
  }

  /// Requests the connections that are wanted and absent, and removes those that no rule gives any more.
  mutating func reconcile(at time: Double) {
    guard let client, client.isActive, client.loss == nil else { return }
    let finder = JackTargets(of: client)
    var targets: Set<JackLink> = []
    for port in orderedPorts where client.own[port.number] != nil {
      let found = finder.find(port)
      targets.formUnion(found.links)
      for pattern in found.badPatterns where badPatterns.insert(port.name + "/" + pattern).inserted {
        report(.badPattern(port: port.name, pattern: pattern))
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
      report(.connectionRefused(port: link.port, other: client.full(link.other), number: number))
    }
    client.noteConnections(of: ports.values.filter { $0.direction == .input })
  }

  /// Makes or removes a connection by hand. Events report the result, as for any other connection.
  mutating func patch(_ patch: JackPatch) {
    guard let client, client.isActive, client.loss == nil else { return }
    let link: JackLink
    if let port = ownPort(patch.from, client) {
      link = JackLink(port: port, other: client.remembered(patch.to))
    } else if let port = ownPort(patch.to, client) {
      link = JackLink(port: port, other: client.remembered(patch.from))
    } else {
      return
    }
    guard patch.isMade else { return client.disconnect(link) }
    let number = client.connect(link)
    if number != 0 {
      report(.connectionRefused(port: link.port, other: client.full(link.other), number: number))
    }
  }
}
