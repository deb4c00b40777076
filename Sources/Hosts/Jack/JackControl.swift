import Graphs
import Realtime
import Synchronization

/// The control thread of a JACK host: takes in news, keeps the connections, and brings the client back when its server
/// has gone. [control]
extension JackHost {
  func control() {
    while true {
      let seconds = lock.withLock {
        let now = monotonicSeconds()
        return state.nextWake(after: now) - now
      }
      _ = common.doorbell.wait(seconds: seconds)
      common.doorbell.drain()
      if isStopping.load(ordering: .sequentiallyConsistent) { break }
      attend()
    }
    end()
    ended.post()
  }

  private func attend() {
    let now = monotonicSeconds()
    let (client, opening) = lock.withLock { (state.client, state.nextOpening) }
    if let client {
      if let reason = client.loss { lose(reason) } else { serve(now) }
    } else if let opening, now >= opening {
      reopen()
    }
  }

  /// An ordinary turn: events, numbers, connections.
  private func serve(_ now: Double) {
    let newRate: Int? = lock.withLock {
      state.takeEvents(at: now)
      state.takeNumbers(common.counters, at: now)
      state.reconcile(at: now)
      state.waitForFollowers(common.transport)
      let rate = Int(common.counters.pointee.rate.load(ordering: .relaxed))
      guard rate > 0, rate != state.rate else { return nil }
      state.rate = rate
      state.tell(.rateChanged(rate))
      return rate
    }
    deliver()
    if let newRate { onRateChange?(newRate) }
  }

  private func lose(_ reason: String) {
    let lost = lock.withLock {
      let now = monotonicSeconds()
      state.takeEvents(at: now)
      state.tell(.serverLost(reason: reason))
      return state.leave()
    }
    gate.withLock { current = nil }
    endLeading()
    // Only after the last cycle has ended may others take over, and the engine be begun anew.
    while let lost, !lost.callback.pointee.shut(within: 1), !isStopping.load(ordering: .relaxed) {}
    common.transport.words.pointee.noteNone()
    common.counters.pointee.lastCycle.store(0, ordering: .relaxed)
    deliver()
    guard let lost else { return }
    if !lost.close(within: 2) { report(.closeHangs) }
    common.counters.pointee.isFreewheeling.store(false, ordering: .relaxed)
    report(.waiting(server: serverName))
    lock.withLock { state.nextOpening = monotonicSeconds() + 0.5 }
  }

  private func reopen() {
    let (name, oldRate) = lock.withLock { (state.name, state.rate) }
    let client: JackClient
    do {
      client = try JackClient(name: name, server: serverName, exact: exactName, common: common)
    } catch {
      complain(error)
      return
    }
    common.forgetBuffers()
    lock.withLock {
      state.adopt(client)
      for port in state.orderedPorts { state.register(port) }
      state.waitForFollowers(common.transport)
    }
    beginLeading(client)
    if client.name != name { report(.nameChanged(asked: name, given: client.name)) }
    report(.back(name: client.name, rate: client.rate, period: Int(client.period)))
    onReturn?(client.rate)
    if client.rate != oldRate {
      report(.rateChanged(client.rate))
      onRateChange?(client.rate)
    }
    do {
      try lock.withLock { () throws(JackError) in
        guard state.isStarted else { return }
        try activate(client)
        state.reconcile(at: monotonicSeconds())
      }
    } catch {
      complain(error)
      endLeading()
      let left = lock.withLock { state.leave() }
      if let left, !left.close(within: 2) { report(.closeHangs) }
    }
    deliver()
  }

  /// Says once per loss why coming back takes so long, and tries again in a second.
  private func complain(_ error: JackError) {
    lock.withLock {
      state.nextOpening = monotonicSeconds() + 1
      guard !state.hasComplained else { return }
      switch error {
      case .noServer: return
      case .nameTaken(let name): state.tell(.nameTaken(name))
      // A server that is still starting may refuse once or twice.
      case _ where error.mayPass: return
      default: state.tell(.refused(error))
      }
      state.hasComplained = true
    }
    deliver()
  }

  /// The last turn. A library that hangs may not hold up the end: the server sees by itself that the client has gone.
  private func end() {
    let client = lock.withLock { state.leave() }
    gate.withLock { current = nil }
    endLeading()
    if let client, !client.close(within: 0.7) { report(.closeHangs) }
    common.counters.pointee.lastCycle.store(0, ordering: .relaxed)
    common.transport.words.pointee.noteNone()
  }
}
