import Controls
import Graphs
import Hosts
import Nodes
import Playback

/// What `visgraph play` adds to a run: the player's screen, its log, and the end when all has been played. [control]
final class PlayCompanion: RunCompanion {
  private let library: [Track]
  private let picks: Bool
  private var log = PlayLog()
  private var told = 0
  /// What the player is told at first.
  private var beginning: [PlayerCommand]

  /// Takes the tracks of the list; `picks`: whether the screen begins with the picker, `beginning`: what the player is
  /// told at first.
  init(_ library: [Track], picks: Bool, beginning: [PlayerCommand] = []) {
    self.library = library
    self.picks = picks
    self.beginning = beginning
  }

  func view(of show: Show, _ environment: [String: String], bell: Int32) -> (any LiveView)? {
    PlayerScreen(environment: environment, bell: bell, library: library, picks: picks) {
      Self.player(of: show)
    }
  }

  func look(at show: Show, log: Log, hasView: Bool) -> [ShowCommand] {
    guard let player = Self.player(of: show) else { return [] }
    let facts = player.facts
    let events = player.events(after: told)
    told = events.last?.number ?? told
    var sight = PlayerSight(facts: facts, status: nil)
    if library.indices.contains(facts.track), library[facts.track].path == facts.path {
      sight.listTitle = library[facts.track].title
    }
    for line in self.log.update(sight, events: events.map(\.event), hasView: hasView) {
      log.note(line.text, line.weight)
    }
    if !beginning.isEmpty {
      defer { beginning = [] }
      return beginning.map { .transport(node: nil, $0) }
    }
    // Whoever sits at a terminal may want to hear it again.
    return facts.isOver && !hasView ? [.quit] : []
  }

  private static func player(of show: Show) -> Player? { show.players.first?.player }
}

/// Turns how a player stands into log lines: each change once. [control]
struct PlayLog {
  /// A line, and how bad it is.
  typealias Line = (text: String, weight: ShowStatus.Message.Weight)

  private var told: PlayerSight.State?
  private var track = ""
  /// What there is to say since the last call.
  ///
  /// - Parameters:
  ///   - hasView: whether a screen shows the state anyway; then only what is amiss is told.
  mutating func update(_ sight: PlayerSight, events: [PlayerEvent], hasView: Bool) -> [Line] {
    var lines: [Line] = []
    // Files that are left out or break are told by the node.
    if events.contains(.finished(successfully: false)) { lines.append(("the last file broke off", .warning)) }
    if !hasView { lines += state(sight).map { ($0, .note) } }
    return lines.map { (DisplayedText.safe($0.text), $0.weight) }
  }

  private mutating func state(_ sight: PlayerSight) -> [String] {
    let facts = sight.facts
    guard sight.state != .loading else { return [] }
    let place = "\(facts.track) \(facts.path)"
    defer { (told, track) = (sight.state, place) }
    let isAnother = place != track
    guard sight.state != told || isAnother else { return [] }
    let time = Figures.time(facts.currentTime)
    switch sight.state {
    case .loading: return []
    case .playing: return [isAnother || told == .over ? "plays \(words(sight))" : "goes on at \(time)"]
    case .paused, .stopped: return [isAnother ? "holds \(words(sight))" : "pauses at \(time)"]
    case .interrupted: return ["interrupted at \(time)"]
    case .over: return ["all has been played"]
    }
  }

  private func words(_ sight: PlayerSight) -> String {
    let facts = sight.facts
    let place = facts.tracks > 1 ? "\(facts.track + 1) of \(facts.tracks): " : ""
    let credits = sight.credits(dash: " - ")
    return place + sight.title + (credits.isEmpty ? "" : ", \(credits)")
      + (facts.duration.map { ", \(Figures.time($0))" } ?? "") + " (\(facts.path))"
  }
}

/// Turns what happens to players into log lines, where there is no screen to see it on: what the status and the news of
/// the show do not tell anyway. [control]
struct PlayerLog {
  private var told: [ObjectIdentifier: Int] = [:]

  /// What has happened since the last call, a line each.
  mutating func news(_ players: [(id: String, player: Player)]) -> [ShowStatus.Message] {
    var lines: [ShowStatus.Message] = []
    var now: [ObjectIdentifier: Int] = [:]
    for (id, player) in players {
      let key = ObjectIdentifier(player)
      let last = told[key] ?? 0
      let events = player.events(after: last)
      for (number, event) in events {
        if let line = Self.line(id, event, isFirst: number == 1, tracks: player.facts.tracks) {
          lines.append(line)
        }
      }
      now[key] = events.last?.number ?? last
    }
    told = now
    return lines
  }

  /// What there is to say of an event; the first track of one alone is what the graph says.
  static func line(_ id: String, _ event: PlayerEvent, isFirst: Bool, tracks: Int) -> ShowStatus.Message? {
    func message(_ text: String, _ weight: ShowStatus.Message.Weight = .note) -> ShowStatus.Message {
      ShowStatus.Message(text: DisplayedText.safe("\(id) \(text)"), weight: weight)
    }
    switch event {
    case .track(_, let path) where tracks <= 1: return isFirst ? nil : message("plays \(path)")
    case .track(let track, let path): return message("plays \(path) (\(track + 1) of \(tracks))")
    case .finished(false): return message("has ended: the last file broke off", .warning)
    case .interruptionBegan: return message("is interrupted")
    case .interruptionEnded: return message("goes on where it was")
    // Told as news, and as the state of the source.
    case .finished(true), .decodeError, .skipped: return nil
    }
  }
}
