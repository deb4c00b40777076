import Playback
import System

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
