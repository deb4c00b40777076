import Controls
import Playback

/// Turns what happens to players into log lines, where there is no screen to see it on. [control]
struct PlayerLog {
  private var told: [ObjectIdentifier: Int] = [:]

  /// What has happened since the last call, a line each.
  mutating func news(_ players: [(id: String, player: Player)]) -> [ShowStatus.Message] {
    var lines: [ShowStatus.Message] = []
    var now: [ObjectIdentifier: Int] = [:]
    for (id, player) in players {
      let key = ObjectIdentifier(player)
      var last = told[key] ?? 0
      for (number, event) in player.events(after: last) {
        last = max(last, number)
        lines.append(Self.line(id, event, of: player))
      }
      now[key] = last
    }
    told = now
    return lines
  }

  private static func line(_ id: String, _ event: PlayerEvent, of player: Player) -> ShowStatus.Message {
    func message(_ text: String, _ weight: ShowStatus.Message.Weight = .note) -> ShowStatus.Message {
      ShowStatus.Message(text: DisplayedText.safe("\(id) \(text)"), weight: weight)
    }
    switch event {
    case .track(let track, let path):
      let tracks = player.facts.tracks
      return message("plays \(path)\(tracks > 1 ? " (\(track + 1) of \(tracks))" : "")")
    case .finished(true): return message("has played everything")
    case .finished(false): return message("has ended: the last file broke off", .warning)
    case .decodeError(let fault, let time):
      return message("could not be decoded at \(Figures.time(time)): \(fault.message)", .warning)
    case .skipped(let fault): return message("leaves out a file: \(fault.message)", .warning)
    case .interruptionBegan: return message("is interrupted: the server has gone")
    case .interruptionEnded: return message("goes on where it was")
    }
  }
}
