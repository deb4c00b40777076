import Controls
import Engine
import Hosts
import Realtime

/// A control score that is recorded, or played back, while a run is live. [control]
extension LiveRun {
  /// Lets the recording end where the timeline does. [any]
  func endScore() { scoreFile?.end(at: min(seen.timeline, options.length ?? .infinity)) }

  /// Plays a score from the beginning, woken by frames.
  func player(_ score: ControlScore) -> ScorePlayer {
    ScorePlayer(score, show: show, router: router, folders: AllowedFolders(options.folders)) { [log] in
      log.note("the control score at \(NumberFormat.seconds($1)) s: \($0): \($2.description)", .warning)
    }
  }

  /// How long main may sleep before it looks at the score again, in seconds; nil: until it is woken. The next frame may be
  /// the one that something acts in, as soon as the callback has taken what came before it; so main looks every millisecond
  /// when that is near, unless no callback runs: then the timeline stands still.
  func rest(_ score: ScorePlayer, _ host: any Host) -> Double? {
    isNear(score, host) && show.frames.hasCallback ? 0.001 : nil
  }

  /// Whether something is due soon.
  private func isNear(_ score: ScorePlayer, _ host: any Host) -> Bool {
    let lead = Int64(ScorePlayer.lead * Double(host.rate))
    return score.place(rate: host.rate).map { $0 <= Int64(show.counters.pointee.samples.now()) + lead }
      ?? false
  }

  /// Gives the callback what is due next, once it has taken what came before; it acts at its own time, or, where that
  /// is over, at the start of the next frame.
  func play(_ score: ScorePlayer, _ host: any Host) {
    guard let gated = router.gated, let place = score.place(rate: host.rate), isNear(score, host),
      gated.timing.gate.isTaken
    else { return }
    // Settings follow at once, with a number of their own, and act at the same place.
    gated.timing.gate.perform(notBefore: place) { number in
      score.perform(upTo: place, rate: host.rate, as: number)
    }
  }
}
