import Glibc
import Playback
import System

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
    // A name that nobody has, readable by nobody else.
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
