import Controls
import Engine
import Hosts
import Synchronization
import System
import Viewer

/// What a run does from its first light to the end that somebody wants: the loop of the main thread. [control]
extension LiveRun {
  /// Until somebody wants an end: shows how things stand, reloads, tells what happens.
  func watch(control: String?, pages: [ViewServer.Page], _ record: ControlRecord?) {
    var counterReport = CounterReport()
    var taker = StatusCollector(show: show, seen: seen, servers: servers, control: control)
    taker.command = command
    taker.pages = pages.map {
      ShowStatus.Page(name: $0.name, address: $0.address, isReachable: $0.isReachable)
    }
    (taker.scenes, taker.cues, taker.written) = (router.scenes, router.cues, written)
    (taker.isClockAsked, taker.takesServer) = (options.host == .clock, takesServer)
    var players = PlayerEventLog()
    var hints = Hints()
    var changes = StatusLog()
    changes.reportsEnds = options.frontEnd == nil
    log.flush(within: 0.2)
    let screen = options.quiet ? nil : view()
    if screen != nil {
      log.hold()
      life.isWatched = { true }
    }
    defer {
      screen?.close()
      log.release()
    }
    var nextPoll = 0.0
    renewing.begin()
    defer { renewing.end() }
    while !signals.isAsked, options.session?.isLeft != true, let current = host {
      if let clock = leaveSilentServer(current) {
        self.host = clock
        continue
      }
      takeServer()
      guard let host else { break }
      let time = MonotonicClock.seconds
      // Without a screen nobody sees more than a look a second, but when something has changed.
      if hasNews.exchange(false, ordering: .relaxed) || time >= nextPoll,
        let status = taker.take(host, messages: log.messages)
      {
        nextPoll = time + (screen == nil ? 0.99 : 0.9 / Screen.perSecond)
        let hintsNow = hints.update(status)
        for line in changes.update(status, hints: hintsNow) { log.note(line) }
        screen?.show(status, hints: hintsNow)
        service?.report(status, hints: hintsNow)
        if let line = counterReport.takeMessage(show.counters, graph, rate: host.rate, at: time) {
          log.note(line, .warning)
        }
        if let line = levels?.takeMessage(at: time) { log.note(line, .fault) }
        if let line = scoreFile?.takeMessage(at: time) { log.note(line, .fault) }
        reportMessages()
      }
      reportControl(record, at: time)
      for command in options.frontEnd?.poll(show, log: log, hasView: screen != nil) ?? [] {
        perform(command)
      }
      // One that was over before it was reported.
      if let jack = host as? JackHost, !jack.isFreewheeling { show.frames.setFreewheeling(false) }
      show.settle(host)
      if screen == nil, options.frontEnd == nil {
        for line in players.takeMessages(show.players) { log.note(line.text, line.weight) }
      }
      if hasNewRate.exchange(false, ordering: .relaxed) {
        renew(host)
        renewing.done()
      }
      if signals.takeReload() || (options.watch && file?.hasChanged() == true) { reload(host) }
      if let score { play(score, host) }
      ringAlarms()
      life.look(host, graph)
      carryOut(router.takeChanges(), host)
      followCues(host)
      saving.withLock { $0.note(made, of: origin.place) }
      keepState(at: time)
      options.session?.attend(self)
      if let screen {
        perform(screen)
      } else {
        let rest = score.flatMap { self.rest($0, host) }
        signals.wait(seconds: rest ?? (options.session == nil ? 0.25 : 0.05))
      }
    }
  }

  private func view() -> (any LiveView)? {
    let environment = environment()
    if let frontEnd = options.frontEnd {
      return frontEnd.view(of: show, environment, bell: signals.descriptor)
    }
    return Screen(environment: environment, bell: signals.descriptor)
  }

  private func perform(_ screen: any LiveView) {
    for command in screen.asked() { perform(command) }
    signals.forgetBell()
    if screen.hasHungUp { signals.stop() }
  }

  func reportMessages() {
    for line in show.takeMessages() { log.note(line, .warning) }
  }
}

/// What a command adds to the run of its graph: a screen of its own, and what it tells and asks for meanwhile. [control]
protocol RunFrontEnd: AnyObject {
  /// The screen; nil where there is none to be had. Who waits for keys is woken when `bell` becomes readable.
  func view(of show: Show, _ environment: [String: String], bell: Int32) -> (any LiveView)?
  /// Looks how things stand, some times a second; tells what has changed, and says what it asks for.
  func poll(_ show: Show, log: Log, hasView: Bool) -> [ShowCommand]
}
