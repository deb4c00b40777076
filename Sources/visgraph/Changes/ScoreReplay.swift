import Controls
import Engine
import Hosts
import Realtime

/// Plays back a control score while a run is live, woken by frames. [control]
final class ScoreReplay {
  private let show: Show
  private let gated: GatedCommands
  private let player: ScorePlayer

  /// Begins at the beginning of a score; nil where the router takes no commands by their frames.
  init?(_ score: ControlScore, _ show: Show, _ router: CommandRouter, _ folders: AllowedFolders, _ log: Log) {
    guard let gated = router.gated else { return nil }
    (self.show, self.gated) = (show, gated)
    player = ScorePlayer(score, show: show, router: router, folders: folders) {
      log.note("the control score at \(NumberFormat.seconds($1)) s: \($0): \($2.description)", .warning)
    }
  }

  /// How long main may sleep before it looks at the score again, in seconds; nil: until it is woken. The next frame may be
  /// the one that something acts in, as soon as the callback has taken what came before it; so main looks every millisecond
  /// when that is near, unless no callback runs: then the timeline stands still.
  func rest(_ host: any Host) -> Double? { isNear(host) && show.frames.hasCallback ? 0.001 : nil }

  /// Whether something is due soon.
  private func isNear(_ host: any Host) -> Bool {
    let lead = Int64(ScorePlayer.lead * Double(host.rate))
    return player.place(rate: host.rate).map { $0 <= Int64(show.counters.pointee.samples.now()) + lead }
      ?? false
  }

  /// Gives the callback what is due next, once it has taken what came before; it acts at its own time, or, where that
  /// is over, at the start of the next frame.
  func play(_ host: any Host) {
    guard let place = player.place(rate: host.rate), isNear(host), gated.timing.gate.isTaken else { return }
    // Settings follow at once, with a number of their own, and act at the same place.
    gated.timing.gate.perform(notBefore: place) { number in
      player.perform(upTo: place, rate: host.rate, as: number)
    }
  }
}
