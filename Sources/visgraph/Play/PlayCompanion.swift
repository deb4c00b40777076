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
