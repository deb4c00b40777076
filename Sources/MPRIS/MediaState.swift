import System

/// The state of a player for desktops: the properties of org.mpris.MediaPlayer2.Player. [desktop]
public struct MediaState: Equatable, Sendable {
  /// Whether the player plays, is paused or has stopped. The raw values are those of MPRIS.
  public enum Status: String, Sendable { case playing = "Playing", paused = "Paused", stopped = "Stopped" }
  /// What is repeated. The raw values are those of MPRIS.
  public enum RepeatMode: String, Sendable { case none = "None", track = "Track", list = "Playlist" }

  /// Whether the player plays, is paused or has stopped.
  public var status = Status.stopped
  /// The position in the track, in seconds.
  public var position = 0.0
  /// The duration of the track in seconds; nil: unknown.
  public var duration: Double?
  /// The number of the track: another one for each track that starts.
  public var track = 0
  /// The track's title.
  public var title = ""
  /// The artist; nil: unknown.
  public var artist: String?
  /// The album; nil: unknown.
  public var album: String?
  /// The absolute path of the file; empty: no track.
  public var path = ""
  /// The absolute path of the cover picture; nil: none.
  public var cover: String?
  /// The playback rate; 1 is the normal speed.
  public var rate = 1.0
  /// The volume; 1 is unchanged.
  public var volume = 1.0
  /// Whether the list is shuffled.
  public var isShuffled = false
  /// What is repeated.
  public var again = RepeatMode.none
  /// Whether there is a next track.
  public var hasNext = false
  /// Whether there is a previous track.
  public var hasPrevious = false

  /// A player without a track.
  public init() {}
}

/// A request of a desktop to a player. [desktop]
public enum MediaRequest: Equatable, Sendable {
  /// Starts or resumes.
  case play
  /// Pauses.
  case pause
  /// Pauses if it plays, else plays.
  case toggle
  /// Pauses and goes back to the beginning.
  case stop
  /// Goes to the next track.
  case next
  /// Goes to the previous track.
  case previous
  /// Ends the program.
  case quit
  /// Skips by seconds; back if negative.
  case skip(Double)
  /// Seeks to a position in seconds, if the track is still this one.
  case seek(Double, track: Int)
  /// Sets the playback rate, within the player's range.
  case rate(Double)
  /// Sets the volume, within the player's range.
  case volume(Double)
  /// Sets whether the list is shuffled.
  case shuffle(Bool)
  /// Sets what is repeated.
  case again(MediaState.RepeatMode)
  /// Opens a file by its absolute path, in place of the present one.
  case open(String)
}

/// Converts paths to `file:` URLs and back (RFC 8089, RFC 3986). [any]
package enum FileURL {
  /// The most bytes of a path with its final zero: Linux's PATH_MAX.
  package static let longestPath = 4096

  /// The URL of an absolute path; nil for any other path, and for one that is too long.
  package static func url(of path: String) -> String? {
    guard path.hasPrefix("/"), path.utf8.count < longestPath, !path.utf8.contains(0) else { return nil }
    let digits = Array("0123456789ABCDEF".utf8)
    var url = Array("file://".utf8)
    for byte in FileName.bytes(path) {
      if isPlain(byte) {
        url.append(byte)
      } else {
        url += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: url, as: UTF8.self)
  }

  /// The absolute path that a URL names on this machine; nil for any other URL, and for a path that is not UTF-8.
  package static func path(of url: String) -> String? {
    guard url.utf8.count < 3 * longestPath, url.prefix(7).lowercased() == "file://" else { return nil }
    var rest = url.dropFirst(7)
    if rest.prefix(9).lowercased() == "localhost" { rest = rest.dropFirst(9) }
    guard rest.first == "/" else { return nil }
    var path: [UInt8] = []
    var bytes = rest.utf8.makeIterator()
    while let byte = bytes.next() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = bytes.next().flatMap(digit), let low = bytes.next().flatMap(digit) else {
          return nil
        }
        path.append(high << 4 | low)
      // A query or fragment begins here; in a path both characters are percent-encoded.
      case UInt8(ascii: "?"), UInt8(ascii: "#"): return nil
      default: path.append(byte)
      }
    }
    guard path.count < longestPath, !path.contains(0) else { return nil }
    return String(validating: path, as: UTF8.self)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "/-._~".utf8.contains(byte)
    }
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
