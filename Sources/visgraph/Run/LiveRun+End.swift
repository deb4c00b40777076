import Controls
import Engine
import Hosts
import System
import Viewer

/// How a run ends. [control]
extension LiveRun {
  /// How long the end waits for the files of levels, state and score, in seconds; nil: without a limit.
  private typealias Timeouts = (levels: Double?, state: Double, score: Double)
  /// Those of an end that a signal asked for: together less than the 0.75 s after which `StopWatchdog` ends the
  /// process once the lights are off, as it does if a step between them hangs.
  private static let shortTimeouts: Timeouts = (levels: 0.3, state: 0.2, score: 0.2)
  private static let longTimeouts: Timeouts = (levels: nil, state: 5, score: 5)
  /// The present ones: a signal may come during the end.
  private var timeouts: Timeouts { signals.hasDeadline ? Self.shortTimeouts : Self.longTimeouts }

  /// Ends the recording at the end of the timeline. [any]
  private func endScore() { files.endScore(at: min(seen.timeline, options.length ?? .infinity)) }

  /// The steps of the watchdog, for an end that the control thread does not complete in time.
  var lastSteps: StopWatchdog.Steps {
    StopWatchdog.Steps(
      darken: { [show] in show.darken(isCrash: $0) },
      finish: { [weak self, files, log] reportExitCode in
        defer { log.flush(within: 0.05) }
        // The recording is written while the levels file is waited for.
        self?.endScore()
        files.closeAtOnce { loss in
          reportExitCode(1)
          log.note(loss, .fault)
        }
      },
      losesData: { [weak services] in services?.losesData == true })
  }

  /// Ends the run, lights first. Throws the last fault of the end, such as a file that could not be written.
  func finish() throws(RunError) {
    // The state is taken before the lights go out; steps that may hang come after.
    let last = keeper.current
    show.darken()
    // The stage of a page goes dark with the lights.
    services.view?.endShow()
    endScore()
    life.end(graph)
    service?.stopping()
    let waitForState = keeper.beginClose(last)
    var losses: [String] = []
    if let loss = files.closeLevels(within: timeouts.levels) { losses.append(loss) }
    reportMessages()
    if let loss = services.closeControl() { losses.append(loss) }
    stopHostsAndShow()
    if let loss = waitForState(timeouts.state) { losses.append(loss) }
    if let loss = files.closeScore(within: timeouts.score) { losses.append(loss) }
    if options.verbose {
      if let status = hosts.current?.status, status.server != nil { log.note("xruns \(status.xruns)") }
      log.note(CounterReport.summary(show.counters))
    }
    if let refusal = hosts.refusal { losses.append("\(refusal)") }
    guard let reason = losses.popLast() else { return }
    for loss in losses {
      log.note(loss, .fault)
      options.session?.report(loss)
    }
    throw RunError(description: reason)
  }
}
