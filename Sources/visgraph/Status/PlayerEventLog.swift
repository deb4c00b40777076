import Playback

/// Turns what happens to players into log lines, where there is no screen to see it on: what the status and the news of
/// the show do not report anyway. [control]
struct PlayerEventLog {
  private var reported: [ObjectIdentifier: Int] = [:]

  /// What has happened since the last call, a line each.
  mutating func takeMessages(_ players: [(id: String, player: Player)]) -> [LogLine] {
    var lines: [LogLine] = []
    var now: [ObjectIdentifier: Int] = [:]
    for (id, player) in players {
      let key = ObjectIdentifier(player)
      let last = reported[key] ?? 0
      let events = player.events(after: last)
      for (number, event) in events {
        if let line = Self.line(id, event, isFirst: number == 1, tracks: player.snapshot.tracks) {
          lines.append(line)
        }
      }
      now[key] = events.last?.number ?? last
    }
    reported = now
    return lines
  }

  /// What there is to say of an event; the first track of one alone is what the graph says.
  static func line(_ id: String, _ event: PlayerEvent, isFirst: Bool, tracks: Int) -> LogLine? {
    func message(_ text: String, _ weight: LogLine.Weight = .note) -> LogLine {
      LogLine(text: DisplayedText.safe("\(id) \(text)"), weight: weight)
    }
    switch event {
    case .track(_, let path) where tracks <= 1: return isFirst ? nil : message("plays \(path)")
    case .track(let track, let path): return message("plays \(path) (\(track + 1) of \(tracks))")
    case .finished(false): return message("has ended: the last file broke off", .warning)
    case .interruptionBegan: return message("is interrupted")
    case .interruptionEnded: return message("goes on where it was")
    // Reported as news, and as the state of the source.
    case .finished(true), .decodeError, .skipped, .leftOut: return nil
    }
  }
}
