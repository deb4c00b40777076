import Playback

/// Log lines of player events, for a run without a screen. Leaves out events that other log lines report. [control]
struct PlayerEventLog {
  /// The number of the last logged event of each player.
  private var reported: [ObjectIdentifier: Int] = [:]

  /// The events since the last call, a line each.
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

  /// The line of an event; nil: not reported. The first track of a single-file list is not, because the graph names it.
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
    // Other log lines report these: as messages of the show, and as the source's state.
    case .finished(true), .decodeError, .skipped, .leftOut: return nil
    }
  }
}
