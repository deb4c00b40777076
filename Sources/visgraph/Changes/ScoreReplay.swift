import Controls
import Engine
import Hosts
import Realtime

/// Plays back a control score in a live run. [control]
final class ScoreReplay {
  private let show: Show
  private let gated: GatedCommands
  private let player: ScorePlayer

  /// Begins playback. Nil where the router does not gate commands by frame.
  init?(_ score: ControlScore, _ show: Show, _ router: CommandRouter, _ folders: AllowedFolders, _ log: Log) {
    guard let gated = router.gated else { return nil }
    (self.show, self.gated) = (show, gated)
    player = ScorePlayer(score, show: show, router: router, folders: folders) { address, seconds, fault in
      log.note(
        "the control score at \(NumberFormat.seconds(seconds)) s: \(address): \(fault.description)", .warning)
    }
  }

  /// The longest that the main thread may wait for the next command, in seconds: 1 ms while a command is due within
  /// `ScorePlayer.lead`, because the callback may take it in its next frame. Nil if none is due so soon, or if the
  /// timeline stands still because no callback runs.
  func pollInterval(_ host: any Host) -> Double? { isNear(host) && show.frames.hasCallback ? 0.001 : nil }

  /// Whether a command is due within `ScorePlayer.lead`.
  private func isNear(_ host: any Host) -> Bool {
    let lead = Int64(ScorePlayer.lead * Double(host.rate))
    return player.nextSample(rate: host.rate).map { $0 <= Int64(show.counters.pointee.samples.now()) + lead }
      ?? false
  }

  /// Hands the next command to the callback, once the callback has taken the one before. The command acts at its own
  /// time or, if that time has passed, at the start of the next frame.
  func play(_ host: any Host) {
    guard let sample = player.nextSample(rate: host.rate), isNear(host), gated.timing.gate.isTaken else {
      return
    }
    // The closure sets settings at once. They are tagged with `number`, and act at the sample at which the callback
    // takes that number.
    gated.timing.gate.perform(notBefore: sample) { number in
      player.perform(upTo: sample, rate: host.rate, as: number)
    }
  }
}
