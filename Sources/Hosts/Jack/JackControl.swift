import Glibc
import Graphs
import Realtime
import Synchronization
import System

/// The control thread of a JACK host (`jack control`), the only one that asks the library for anything: it opens the
/// client, takes in news, keeps the connections, and brings the client back when its server has gone. [jack]
extension JackHost {
  func control() {
    while !isStopping.load(ordering: .sequentiallyConsistent) {
      common.counters.pointee.askingSince.store(MonotonicClock.now, ordering: .relaxed)
      attend()
      common.counters.pointee.askingSince.store(0, ordering: .relaxed)
      if isStopping.load(ordering: .sequentiallyConsistent) { break }
      let now = MonotonicClock.seconds
      let wake = min(state.nextWake(after: now), stallBegan == nil ? .infinity : now + 0.05)
      let isRung = common.doorbell.wait(seconds: wake - now)
      // A wake-up between the two must not be forgotten.
      if common.doorbell.drain() || isRung { state.nextLook = 0 }
    }
    end()
    ended.post()
  }

  private func attend() {
    let now = MonotonicClock.seconds
    guard let client = state.client else {
      if now >= state.nextOpening { open(at: now) }
      return
    }
    if let reason = client.loss { return lose(reason) }
    if let began = stallBegan, now - began > state.patience, !hasCycles(client) {
      // Each time it did not help it is tried more seldom.
      state.patience = min(60, state.patience * 2)
      return lose("it has run no cycle for \(Int(now - began)) s")
    }
    serve(client, now)
  }

  /// A usual pass: ports, events, numbers, connections; where nothing has been reported or asked for, numbers alone.
  private func serve(_ client: JackClient, _ now: Double) {
    takeOver(client)
    if stallBegan != nil, hasCycles(client) {
      resume(client)
      state.nextLook = 0
    }
    // A server that runs no cycles may not answer either: it is asked for nothing.
    let isStalled = stallBegan != nil
    let (ports, isStarted, asked, isPatchbayShown) = lock.withLock {
      (board.ports, board.isStarted, board.asked, board.patchbayEnd > now)
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
        let patches = lock.withLock { board.takePatches() }
        for patch in patches.waiting { state.patch(patch) }
        if patches.dropped > 0 { state.report(.connectionsDropped(patches.dropped)) }
        state.reconcile(at: now)
      }
      state.waitForFollowers(common.transport)
    }
    // It helped when cycles ran for longer than it takes to see that they do not.
    if client.isActive, !isStalled, now - Double(client.activation.load(ordering: .relaxed)) * 1e-9 > 1 {
      state.patience = JackState.patience
    }
    if hasNews {
      publish(looks && !isStalled ? asked : nil)
    } else {
      lock.withLock { board.observation.load = client.load }
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

  /// Opens the gate for the callback, unless `stop` was faster, and begins to run cycles.
  ///
  /// A server in which no cycle comes within twenty periods refuses (`JackEngine::ClientActivate`), which on a busy machine
  /// says nothing: a new client asks again, each time later.
  private func begin(_ client: JackClient) {
    let number = activate(client)
    guard number != 0 else { return state.refusals = 0 }
    state.refusals += 1
    lose("it does not let the client run: jack_activate gave \(number)")
    state.nextOpening = MonotonicClock.seconds + min(30, 0.25 * exp2(Double(state.refusals)))
  }

  // MARK: - Cycles that stop

  /// When it was noticed that no cycle runs; nil while they do.
  private var stallBegan: Double? { gate.withLock { stall?.began } }

  /// Whether cycles have run since then.
  private func hasCycles(_ client: JackClient) -> Bool {
    guard let stall = gate.withLock({ stall }) else { return true }
    return stall.isReported && client.callback.pointee.cycles.load(ordering: .relaxed) > stall.cycles + 1
  }

  /// Cycles run again: the show goes on in a new epoch.
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

  private func lose(_ reason: String) {
    let now = MonotonicClock.seconds
    state.takeEvents(at: now, decides: false)
    state.report(.serverLost(reason: reason))
    let lost = state.leave(at: stallBegan ?? now)
    // A listener that hears of a stall just now hears of its end afterwards.
    while gate.withLock({ stall?.isReported == false }) { usleep(1000) }
    gate.withLock {
      current = nil
      stall = nil
    }
    endLeading()
    // Only after the last cycle has ended may others take over, and the engine be begun anew.
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

  /// Looks for a server, the first or the next.
  private func open(at now: Double) {
    let client: JackClient
    do {
      // Always under the name that was asked for: it may be free again.
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
    state.isHeld = lock.withLock { board.decide() }
    if !state.isHeld { beginLeading(client) }
    publish(nil)
    if client.name != clientName { report(.nameChanged(asked: clientName, given: client.name)) }
    let period = Int(client.period)
    report(
      isFirst
        ? .opened(name: client.name, rate: client.rate, period: period)
        : .back(name: client.name, rate: client.rate, period: period))
    let isAwaited = lock.withLock {
      board.first = .opened
      board.isReporting = !state.isHeld && (!isFirst || board.isLate)
      return isFirst && !board.isLate
    }
    answered.post()
    // A caller that waits makes the first plan for its rate; else there is a plan, perhaps for another.
    if !isAwaited, !state.isHeld {
      if client.rate != oldRate {
        report(.rateChanged(client.rate))
        onRateChange?(client.rate)
      }
      onReturn?(client.rate)
    }
    let ports = lock.withLock {
      board.isReporting = false
      return board.ports
    }
    state.makePorts(ports)
    state.waitForFollowers(common.transport)
    serve(client, MonotonicClock.seconds)
  }

  /// No client was to be had.
  private func fail(_ error: JackError) {
    state.nextOpening = MonotonicClock.seconds + 1
    if state.hasHadServer { return complain(error) }
    if case .noServer = error { state.hasFoundNone = true }
    let isLate = lock.withLock {
      board.first = .failed(error)
      return board.isLate
    }
    answered.post()
    guard isLate else { return }
    if error.mayPass {
      if !state.hasComplained { report(.waiting(server: serverName)) }
      state.hasComplained = true
    } else if !state.hasFailed {
      state.hasFailed = true
      report(.openingFailed(error, hadNone: state.hasFoundNone))
    }
  }

  /// Says once per loss why coming back takes so long.
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

  /// The last pass.
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

  // MARK: - Telling

  /// Shows others what only this thread can see; `done` is how much of what was asked for has been done.
  private func publish(_ done: Int?) {
    // A server that hangs is asked for nothing more.
    let isPatchbayShown = done != nil && lock.withLock { board.patchbayEnd > MonotonicClock.seconds }
    let observation = state.observation(ofAll: isPatchbayShown)
    lock.withLock {
      board.observation = observation
      if let done { board.done = done }
    }
  }

  /// Reports what has gathered.
  private func deliver() { for fact in state.takeNotifications() { report(fact) } }
}
