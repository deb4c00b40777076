import Glibc
import Graphs
import Realtime
import Synchronization
import System

/// The control thread of a JACK host (`jack control`). It opens the client, takes the events of ports, keeps the
/// connections, and opens a new client after its server has gone. Only this thread sends requests that may wait for the
/// server; metadata and closing have threads of their own. [jack]
extension JackHost {
  func control() {
    while !isStopping.load(ordering: .sequentiallyConsistent) {
      common.counters.pointee.askingSince.store(MonotonicClock.now, ordering: .relaxed)
      attend()
      common.counters.pointee.askingSince.store(0, ordering: .relaxed)
      if isStopping.load(ordering: .sequentiallyConsistent) { break }
      let now = MonotonicClock.seconds
      let wake = min(state.nextWake(after: now), stallBegan == nil ? .infinity : now + 0.05)
      let isPosted = common.wakeUp.wait(seconds: wake - now)
      // A post between `wait` and `drain` must not be lost.
      if common.wakeUp.drain() || isPosted { state.nextLook = 0 }
    }
    end()
    ended.post()
  }

  /// Opens a client if one is due, gives up one whose server has gone, or serves it.
  private func attend() {
    let now = MonotonicClock.seconds
    guard let client = state.client else {
      if now >= state.nextOpening { open(at: now) }
      return
    }
    if let reason = client.loss { return lose(reason) }
    if let began = stallBegan, now - began > state.stallTimeout, !hasCycles(client) {
      // If the new client does not help, the next one is opened after twice the time, up to 60 s.
      state.stallTimeout = min(60, state.stallTimeout * 2)
      return lose("it has run no cycle for \(Int(now - began)) s")
    }
    serve(client, now)
  }

  /// One pass: ports, events, counters, connections. Where nothing was reported or requested, the counters alone.
  private func serve(_ client: JackClient, _ now: Double) {
    takeOver(client)
    if stallBegan != nil, hasCycles(client) {
      resume(client)
      state.nextLook = 0
    }
    // A server that runs no cycles may not answer either: it is sent no requests.
    let isStalled = stallBegan != nil
    let (ports, isStarted, asked, isPatchbayShown) = lock.withLock {
      (shared.ports, shared.isStarted, shared.asked, shared.patchbayEnd > now)
    }
    let looks = isStalled || isPatchbayShown || state.isLookDue(at: now)
    if !isStalled, looks {
      state.nextLook = now + JackState.longestRest
      state.follow(ports)
      if isStarted, !client.isActive { begin(client) }
      guard state.client != nil else { return }
    }
    state.takeEvents(at: now, decides: !isStalled)
    let hasNews = looks || state.isLookDue(at: now)
    state.takeNumbers(common.counters, at: now)
    state.takeMetadata()
    if !isStalled {
      if hasNews {
        let patches = lock.withLock { shared.takePatches() }
        for patch in patches.waiting { state.patch(patch) }
        if patches.dropped > 0 { state.report(.connectionsDropped(patches.dropped)) }
        state.reconcile(at: now)
      }
      state.waitForFollowers(common.transport)
    }
    // The new client helped if its cycles have run for longer than it takes to notice a stall.
    if client.isActive, !isStalled, now - Double(client.activation.load(ordering: .relaxed)) * 1e-9 > 1 {
      state.stallTimeout = JackState.initialStallTimeout
    }
    if hasNews {
      publish(looks && !isStalled ? asked : nil)
    } else {
      lock.withLock { shared.observation.load = client.load }
    }
    let rate = Int(common.counters.pointee.rate.load(ordering: .relaxed))
    let isNewRate = rate > 0 && rate != state.rate
    if isNewRate {
      state.rate = rate
      state.report(.rateChanged(rate))
      publish(nil)
    }
    deliver()
    if isNewRate, !state.isHeld { onRateChange?(rate) }
  }

  /// Activates the client, unless `stop` came first.
  ///
  /// A server in which no cycle comes within twenty periods refuses the activation (`JackEngine::ClientActivate`), as
  /// may happen on a busy machine. So a new client tries again, after a pause that doubles from 0.5 s to 30 s.
  private func begin(_ client: JackClient) {
    let number = activate(client)
    guard number != 0 else { return state.refusals = 0 }
    state.refusals += 1
    lose("it does not let the client run: jack_activate gave \(number)")
    state.nextOpening = MonotonicClock.seconds + min(30, 0.25 * exp2(Double(state.refusals)))
  }

  // MARK: - Cycles that stop

  /// When the watchdog noticed the stall, in seconds of the monotonic clock; nil while cycles run.
  private var stallBegan: Double? { gate.withLock { stall?.began } }

  /// Whether cycles run: without a stall, or at least two since a stall that has been reported.
  private func hasCycles(_ client: JackClient) -> Bool {
    guard let stall = gate.withLock({ stall }) else { return true }
    return stall.isReported && client.callback.pointee.cycles.load(ordering: .relaxed) > stall.cycles + 1
  }

  /// Goes on after a stall, in a new epoch of the timeline.
  private func resume(_ client: JackClient) {
    onReturn?(state.rate)
    gate.withLock {
      guard stall != nil, !isStopping.load(ordering: .relaxed) else { return }
      stall = nil
      common.counters.pointee.lastCycle.store(MonotonicClock.now, ordering: .relaxed)
      client.callback.pointee.open()
    }
    report(.resumed)
  }

  // MARK: - Servers that come and go

  /// Gives up the client, because its server has gone or runs no cycles: ends the callback, then closes the client.
  private func lose(_ reason: String) {
    let now = MonotonicClock.seconds
    state.takeEvents(at: now, decides: false)
    state.report(.serverLost(reason: reason))
    let lost = state.leave(at: stallBegan ?? now)
    // The watchdog may be reporting a stall right now: that call ends first.
    while gate.withLock({ stall?.isReported == false }) { usleep(1000) }
    gate.withLock {
      current = nil
      stall = nil
    }
    endLeading()
    // Another host may run cycles, and the engine may restart, only after the last cycle has ended.
    while let lost, !lost.callback.pointee.shut(within: 1), !isStopping.load(ordering: .relaxed) {}
    if !state.isHeld { onStall?() }
    common.transport.shared.pointee.noteNone()
    common.counters.pointee.lastCycle.store(0, ordering: .relaxed)
    publish(nil)
    deliver()
    guard let lost else { return }
    if !lost.close(within: 2) { report(.closeHangs) }
    common.counters.pointee.isFreewheeling.store(false, ordering: .relaxed)
    report(.waiting(server: serverName))
    state.nextOpening = MonotonicClock.seconds + 0.5
  }

  /// Tries to open a client, of the first server or of the next.
  private func open(at now: Double) {
    let client: JackClient
    do {
      // Always by the configured name, which may be free again.
      client = try JackClient(name: clientName, server: serverName, exact: exactName, common: common)
    } catch {
      return fail(error)
    }
    guard !isStopping.load(ordering: .sequentiallyConsistent) else {
      _ = client.close(within: 0.7)
      return
    }
    common.forgetBuffers()
    let isFirst = !state.hasHadServer
    let oldRate = state.rate
    state.adopt(client)
    state.isHeld = lock.withLock { shared.decide() }
    if !state.isHeld { beginLeading(client) }
    publish(nil)
    if client.name != clientName { report(.nameChanged(asked: clientName, given: client.name)) }
    let period = Int(client.period)
    report(
      isFirst
        ? .opened(name: client.name, rate: client.rate, period: period)
        : .back(name: client.name, rate: client.rate, period: period))
    let isAwaited = lock.withLock {
      shared.first = .opened
      shared.isReporting = !state.isHeld && (!isFirst || shared.isLate)
      return isFirst && !shared.isLate
    }
    answered.post()
    // A caller that waits in `open` makes the first plan for this rate. Otherwise there is a plan, perhaps for
    // another rate.
    if !isAwaited, !state.isHeld {
      if client.rate != oldRate {
        report(.rateChanged(client.rate))
        onRateChange?(client.rate)
      }
      onReturn?(client.rate)
    }
    let ports = lock.withLock {
      shared.isReporting = false
      return shared.ports
    }
    state.makePorts(ports)
    state.waitForFollowers(common.transport)
    serve(client, MonotonicClock.seconds)
  }

  /// Notes that no client could be opened, and when to try again.
  private func fail(_ error: JackError) {
    state.nextOpening = MonotonicClock.seconds + 1
    if state.hasHadServer { return complain(error) }
    if case .noServer = error { state.hasFoundNone = true }
    let isLate = lock.withLock {
      shared.first = .failed(error)
      return shared.isLate
    }
    answered.post()
    guard isLate else { return }
    if error.mayPass {
      reportWaiting()
    } else if !state.hasFailed {
      state.hasFailed = true
      report(.openingFailed(error, hadNone: state.hasFoundNone))
    }
  }

  /// Reports once per loss why no new client can be opened.
  private func complain(_ error: JackError) {
    guard !state.hasComplained else { return }
    switch error {
    case .noServer: return
    case .nameTaken(let name): report(.nameTaken(name))
    // A server that is still starting may refuse once or twice.
    case _ where error.mayPass: return
    default: report(.refused(error))
    }
    state.hasComplained = true
  }

  /// Closes the client as the thread ends.
  private func end() {
    let client = state.leave(at: MonotonicClock.seconds)
    gate.withLock {
      current = nil
      stall = nil
    }
    endLeading()
    _ = client?.close(within: 3)
    common.counters.pointee.lastCycle.store(0, ordering: .relaxed)
    common.transport.shared.pointee.noteNone()
    publish(nil)
  }

  // MARK: - Publishing

  /// Publishes the state that only this thread can read. `done` is the number of the last request that was carried
  /// out; nil: no further one.
  private func publish(_ done: Int?) {
    // Without `done` the server may hang, so it is not asked for the ports of all clients.
    let isPatchbayShown = done != nil && lock.withLock { shared.patchbayEnd > MonotonicClock.seconds }
    let observation = state.observation(ofAll: isPatchbayShown)
    lock.withLock {
      shared.observation = observation
      if let done { shared.done = done }
    }
  }

  /// Passes the gathered notifications to `report`.
  private func deliver() { for fact in state.takeNotifications() { report(fact) } }
}
