import MPRIS
public import Playback
import System

/// A player of the show on the desktop: its facts in the desktop's words, and the desktop's requests as commands of the
/// show. [control] opens and closes it; the two closures run [desktop].
public final class DesktopPlayer: Sendable {
  private let service: MediaPlayerService
  private let cover: DesktopCover

  /// Offers a player to the desktop; nil where there is no desktop's message bus.
  ///
  /// - Parameters:
  ///   - identity: what people call the program.
  ///   - bus: the address of a message bus; nil: that of the session.
  ///   - player: the player and the id of its node, as things stand; asked ten times a second on a thread of its own.
  ///   - obey: takes commands on that thread; must not wait for long.
  public init?(
    identity: String = "visgraph", bus: String? = nil,
    player: @escaping @Sendable () -> (id: String, player: Player)?,
    obey: @escaping @Sendable (ShowCommand) -> Void
  ) {
    let cover = DesktopCover()
    self.cover = cover
    let turns = SharedDesktopTurns()
    let service = MediaPlayerService(
      name: "visgraph", identity: identity, bus: bus,
      facts: {
        guard let player = player()?.player else { return MediaFacts() }
        let facts = player.facts
        let turn = turns.turn(facts) { player.events(after: $0) }
        return MediaFacts(facts, turn: turn, cover: cover.path(facts, turn: turn) { player.cover() })
      },
      obey: { request in
        guard request != .quit else { return obey(.quit) }
        guard let (id, player) = player() else { return }
        let facts = player.facts
        // The track may have ended since the desktop looked.
        if case .seek(_, let track) = request,
          track != turns.turn(facts, events: { player.events(after: $0) })
        {
          return
        }
        for command in PlayerCommand.commands(for: request, facts) {
          obey(.transport(node: id, command))
        }
      })
    guard let service else { return nil }
    self.service = service
  }

  deinit { close() }

  /// The name on the bus; nil before the bus has given it, and after the end.
  public var busName: String? { service.busName }

  /// Leaves the desktop, and takes the cover's file away.
  public func close() {
    service.close()
    cover.remove()
  }
}

/// Numbers the tracks as they begin: the same track of a list that is played again is another. [desktop]
struct DesktopTurns {
  private var turn = 0
  private var lastEvent = 0
  private var place = -1
  private var path = ""

  /// The number of the track that is heard, by the player's facts and its events after the last one seen.
  mutating func turn(_ facts: PlayerFacts, events: (Int) -> [(number: Int, event: PlayerEvent)]) -> Int {
    var begins = 0
    for (number, event) in events(lastEvent) {
      lastEvent = max(lastEvent, number)
      if case .track = event { begins += 1 }
    }
    if begins > 0 {
      turn += begins
    } else if (facts.track, facts.path) != (place, path) {
      turn += 1
    }
    (place, path) = (facts.track, facts.path)
    return turn
  }
}

/// The same for several threads. [any]
final class SharedDesktopTurns: Sendable {
  private let turns = Locked(DesktopTurns())

  func turn(_ facts: PlayerFacts, events: (Int) -> [(number: Int, event: PlayerEvent)]) -> Int {
    turns.withLock { $0.turn(facts, events: events) }
  }
}
