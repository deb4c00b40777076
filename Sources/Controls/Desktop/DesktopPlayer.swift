import Glibc
import MPRIS
public import Playback
import System

/// Publishes a player of the show to the desktop by MPRIS, and turns requests of the desktop into commands. [control]
/// opens and closes it; the two closures run [desktop].
public final class DesktopPlayer: Sendable {
  private let service: MediaPlayerService
  private let cover: DesktopCover

  /// Connects a player to the desktop; nil without a message bus.
  ///
  /// - Parameters:
  ///   - identity: the name of the program that a desktop shows.
  ///   - bus: the address of a message bus; nil: that of the session.
  ///   - player: the current player and the id of its node; called ten times a second on a thread of its own.
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
        // The track may have ended since the desktop read the state.
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

  /// The name on the bus; nil before the bus has given it, and after `close`.
  public var busName: String? { service.busName }

  /// Disconnects from the bus, and deletes the file of the cover.
  public func close() {
    service.close()
    cover.remove()
  }
}

/// Numbers the tracks as they begin: a track that is played again has another number. [desktop]
struct TrackCounter {
  private var trackNumber = 0
  private var lastEvent = 0
  private var place = -1
  private var path = ""

  /// The number of the track that is heard. `events` returns the events of the player after a number.
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

/// A counter that several threads share. [any]
final class SharedTrackCounter: Sendable {
  private let counter = Locked(TrackCounter())

  func count(_ snapshot: PlayerSnapshot, events: (Int) -> [(number: Int, event: PlayerEvent)]) -> Int {
    counter.withLock { $0.count(snapshot, events: events) }
  }
}

/// Keeps the cover of the track that is heard in a file for desktops: one at a time, readable by this user alone. [any]
final class DesktopCover: Sendable {
  /// The largest picture, in bytes.
  static let largest = CoverPicture.most

  private struct Kept {
    var trackNumber = -1
    var path: String?
  }
  private let kept = Locked(Kept())
  private let folder: String

  /// Writes to `folder`; nil: `XDG_RUNTIME_DIR`, or else `/tmp`.
  init(folder: String? = nil) {
    let own = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) } ?? ""
    self.folder = folder ?? (own.hasPrefix("/") && access(own, W_OK | X_OK) == 0 ? own : "/tmp")
  }

  deinit { remove() }

  /// The path of the track's cover, which is written when the track changes; nil: no cover, or it could not be written.
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

  /// Deletes the file.
  func remove() {
    kept.withLock { kept in
      if let old = kept.path { unlink(old) }
      kept = Kept()
    }
  }

  private func write(_ picture: CoverPicture) -> String? {
    guard (1...Self.largest).contains(picture.bytes.count) else { return nil }
    // O_EXCL: the name must be new, so that no other file is overwritten or followed.
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
