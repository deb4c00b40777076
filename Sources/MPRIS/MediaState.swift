import System

/// How a player stands, as desktops show it: what the interface org.mpris.MediaPlayer2.Player has properties for.
/// [desktop]
public struct MediaState: Equatable, Sendable {
  /// Whether it plays, holds still or stands at an end.
  public enum Status: String, Sendable { case playing = "Playing", paused = "Paused", stopped = "Stopped" }
  /// What is played again.
  public enum RepeatMode: String, Sendable { case none = "None", track = "Track", list = "Playlist" }

  /// Whether it plays.
  public var status = Status.stopped
  /// Seconds into the track.
  public var position = 0.0
  /// Seconds of the track; nil where unknown.
  public var duration: Double?
  /// Which track this is: another number for every track that begins.
  public var track = 0
  /// The track's title.
  public var title = ""
  /// Who plays it.
  public var artist: String?
  /// What it is from.
  public var album: String?
  /// The file, as an absolute path.
  public var path = ""
  /// The cover, as an absolute path of a picture; nil where there is none.
  public var cover: String?
  /// How fast.
  public var rate = 1.0
  /// How loud.
  public var volume = 1.0
  /// Whether the order is by chance.
  public var isShuffled = false
  /// What is played again.
  public var again = RepeatMode.none
  /// Whether there is a next track.
  public var hasNext = false
  /// Whether there is a track before.
  public var hasPrevious = false

  /// A player that has nothing.
  public init() {}
}

/// What a desktop asks of a player. [desktop]
public enum MediaRequest: Equatable, Sendable {
  /// Starts, or goes on.
  case play
  /// Holds still.
  case pause
  /// Plays what holds still, and pauses what plays.
  case toggle
  /// Holds still and goes back to the beginning.
  case stop
  /// The next track.
  case next
  /// The track before.
  case previous
  /// Ends the program.
  case quit
  /// Seconds on, or back.
  case skip(Double)
  /// To a time in seconds, if the track is still this one.
  case seek(Double, track: Int)
  /// How fast, within the player's range.
  case rate(Double)
  /// How loud, within the player's range.
  case volume(Double)
  /// Whether the order is by chance.
  case shuffle(Bool)
  /// What is played again.
  case again(MediaState.RepeatMode)
  /// Plays a file instead, by its absolute path.
  case open(String)
}

/// Paths as `file:` URLs and back (RFC 8089, RFC 3986). [any]
package enum FileURL {
  /// The most bytes that a path may have, as in Linux.
  package static let longestPath = 4096

  /// The URL of an absolute path; nil for another path, and for one that is too long.
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

  /// The absolute path that a URL names on this machine; nil where it names something else, or nothing that can be
  /// written as text.
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
      // What begins a query or a fragment; in a path both are written with a percent sign.
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
