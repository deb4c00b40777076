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
  ///   - perform: takes commands on that thread; must not wait for long.
  public init?(
    identity: String = "visgraph", bus: String? = nil,
    player: @escaping @Sendable () -> (id: String, player: Player)?,
    perform: @escaping @Sendable (ShowCommand) -> Void
  ) {
    let cover = DesktopCover()
    self.cover = cover
    let counter = SharedTrackCounter()
    let service = MediaPlayerService(
      name: "visgraph", identity: identity, bus: bus,
      state: {
        guard let player = player()?.player else { return MediaState() }
        let snapshot = player.snapshot
        let trackNumber = counter.count(snapshot) { player.events(after: $0) }
        return MediaState(
          snapshot, trackNumber: trackNumber,
          cover: cover.path(snapshot, trackNumber: trackNumber) { player.cover() })
      },
      perform: { request in
        guard request != .quit else { return perform(.quit) }
        guard let (id, player) = player() else { return }
        let snapshot = player.snapshot
        // The track may have ended since the desktop looked.
        if case .seek(_, let track) = request,
          track != counter.count(snapshot, events: { player.events(after: $0) })
        {
          return
        }
        for command in PlayerCommand.commands(for: request, snapshot) {
          perform(.transport(node: id, command))
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
struct TrackCounter {
  private var trackNumber = 0
  private var lastEvent = 0
  private var place = -1
  private var path = ""

  /// The number of the track that is heard, by the player's facts and its events after the last one seen.
  mutating func count(_ snapshot: PlayerSnapshot, events: (Int) -> [(number: Int, event: PlayerEvent)]) -> Int
  {
    var begins = 0
    for (number, event) in events(lastEvent) {
      lastEvent = max(lastEvent, number)
      if case .track = event { begins += 1 }
    }
    if begins > 0 {
      trackNumber += begins
    } else if (snapshot.track, snapshot.path) != (place, path) {
      trackNumber += 1
    }
    (place, path) = (snapshot.track, snapshot.path)
    return trackNumber
  }
}

/// The same for several threads. [any]
final class SharedTrackCounter: Sendable {
  private let counter = Locked(TrackCounter())

  func count(_ snapshot: PlayerSnapshot, events: (Int) -> [(number: Int, event: PlayerEvent)]) -> Int {
    counter.withLock { $0.count(snapshot, events: events) }
  }
}
