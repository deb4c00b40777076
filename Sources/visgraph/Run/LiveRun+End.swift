import Controls
import Engine
import Hosts
import System
import Viewer

/// How a run ends. [control]
extension LiveRun {
  /// Lets the recording end where the timeline does. [any]
  private func endScore() { files.endScore(at: min(seen.timeline, options.length ?? .infinity)) }

  /// What is done where the control thread does not come to it in time.
  var lastSteps: StopWatchdog.Steps {
    StopWatchdog.Steps(darken: { [show] in show.darken(isCrash: $0) }) {
      [weak self, files, log] report in
      defer { log.flush(within: 0.05) }
      // Both are written while one is waited for.
      self?.endScore()
      files.closeAtOnce { loss in
        report(1)
        log.note(loss, .fault)
      }
    }
  }

  /// Ends what the run has begun, lights first; throws why it was no success, above all what it could not write.
  func finish() throws(RunError) {
    // Then what may take its time or hang; the state as it was with light.
    let last = keeper.current
    show.darken()
    // A stage goes out with the lights.
    services.view?.endShow()
    endScore()
    life.end(graph)
    service?.stopping()
    let endState = keeper.close(last)
    var losses: [String] = []
    if let loss = files.closeLevels(within: signals.hasDeadline ? 0.3 : nil) { losses.append(loss) }
    reportMessages()
    if let loss = services.closeControl() { losses.append(loss) }
    leave()
    if let loss = endState(signals.hasDeadline ? 0.2 : 5) { losses.append(loss) }
    if let loss = files.closeScore(within: signals.hasDeadline ? 0.2 : 5) { losses.append(loss) }
    if options.verbose {
      if let status = hosts.current?.status, status.server != nil { log.note("xruns \(status.xruns)") }
      log.note(CounterReport.sum(show.counters))
    }
    if let refusal = hosts.refusal { losses.append("\(refusal)") }
    guard let reason = losses.popLast() else { return }
    for loss in losses { log.note(loss, .fault) }
    throw RunError(description: reason)
  }
}
