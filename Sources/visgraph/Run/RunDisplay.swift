import Engine

/// Shows how a run stands: on its screen, in the log, to the service manager. [control]
struct RunDisplay {
  /// nil: the log is all there is.
  let screen: (any LiveView)?
  /// When it is shown again at the latest, in seconds of the monotonic clock.
  private(set) var next = 0.0
  /// What the log has of counters, and of players.
  var counters = CounterReport()
  var players = PlayerEventLog()
  private var collector: StatusCollector
  private var hints = Hints()
  private var changes = StatusLog()

  init(_ collector: StatusCollector, _ screen: (any LiveView)?, reportsEnds: Bool) {
    (self.collector, self.screen) = (collector, screen)
    changes.reportsEnds = reportsEnds
  }

  /// Shows how it stands now; false before there is a plan.
  mutating func show(_ host: any Host, _ log: Log, _ service: ServiceNotifier?, at time: Double) -> Bool {
    guard let status = collector.take(host, messages: log.messages) else { return false }
    // Without a screen nobody sees more than a look a second, but when something has changed.
    next = time + (screen == nil ? 0.99 : 0.9 / Screen.perSecond)
    let hintsNow = hints.update(status)
    for line in changes.update(status, hints: hintsNow) { log.note(line) }
    screen?.show(status, hints: hintsNow)
    service?.report(status, hints: hintsNow)
    return true
  }
}
