import Glibc
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
      name: "visgraph", identity: identity, rates: PlayerParameters.rate.range,
      volumes: PlayerParameters.volume.range, bus: bus,
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

/// The picture of the track that is heard, in a file that desktops can read: one at a time, readable by this user only.
/// [any]
final class DesktopCover: Sendable {
  /// The most bytes that a picture may have.
  static let largest = CoverPicture.most

  private struct Kept {
    var trackNumber = -1
    var path: String?
  }
  private let kept = Locked(Kept())
  private let folder: String

  /// Files go to `folder`; nil: the user's folder for what lasts as long as the session, else `/tmp`.
  init(folder: String? = nil) {
    let own = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) } ?? ""
    self.folder = folder ?? (own.hasPrefix("/") && access(own, W_OK | X_OK) == 0 ? own : "/tmp")
  }

  deinit { remove() }

  /// The path of the track's picture, written when the track is another; nil where there is none, or no room for it.
  func path(_ snapshot: PlayerSnapshot, trackNumber: Int, picture: () -> CoverPicture?) -> String? {
    kept.withLock { kept in
      if kept.trackNumber == trackNumber { return kept.path }
      if let old = kept.path { unlink(old) }
      kept = Kept(trackNumber: trackNumber)
      guard snapshot.tags.hasCover, let picture = picture() else { return nil }
      kept.path = write(picture)
      return kept.path
    }
  }

  /// Takes the file away.
  func remove() {
    kept.withLock { kept in
      if let old = kept.path { unlink(old) }
      kept = Kept()
    }
  }

  private func write(_ picture: CoverPicture) -> String? {
    guard (1...Self.largest).contains(picture.bytes.count) else { return nil }
    // A name that no file has, readable by this user alone.
    let path =
      "\(folder)/visgraph-cover-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
      + Self.ending(of: picture.mediaType)
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { return nil }
    let failure = Descriptor.write(picture.bytes, to: file)
    close(file)
    guard failure == nil else {
      unlink(path)
      return nil
    }
    return path
  }

  private static func ending(of mediaType: String) -> String {
    switch mediaType.lowercased() {
    case "image/jpeg", "image/jpg": ".jpg"
    case "image/png": ".png"
    case "image/gif": ".gif"
    case "image/webp": ".webp"
    case "image/bmp": ".bmp"
    default: ".img"
    }
  }
}
