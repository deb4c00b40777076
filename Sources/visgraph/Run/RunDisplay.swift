import Engine

/// Shows the status of a run: on a screen, in the log, and to the service manager. [control]
struct RunDisplay {
  /// The screen; nil: the status is only logged.
  let screen: (any LiveView)?
  /// When the next update is due, in s of the monotonic clock.
  private(set) var next = 0.0
  /// Log lines of the callback's counters, and of players.
  var counters = CounterReport()
  var players = PlayerEventLog()
  private var collector: StatusCollector
  private var hints = Hints()
  private var changes = StatusLog()

  init(_ collector: StatusCollector, _ screen: (any LiveView)?, reportsEnds: Bool) {
    (self.collector, self.screen) = (collector, screen)
    changes.reportsEnds = reportsEnds
  }

  /// Shows the current status; false before there is a plan.
  mutating func show(_ host: any Host, _ log: Log, _ service: SystemdNotifier?, at time: Double) -> Bool {
    guard let status = collector.take(host, messages: log.messages, at: time) else { return false }
    // Without a screen, one update a second is enough, besides those at changes.
    next = time + (screen == nil ? 0.99 : 0.9 / Screen.perSecond)
    let hintsNow = hints.update(status)
    for line in changes.update(status, hints: hintsNow) { log.note(line) }
    screen?.show(status, hints: hintsNow)
    service?.report(status, hints: hintsNow)
    return true
  }
}
