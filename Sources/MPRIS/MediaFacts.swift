/// How a player stands, as desktops show it: what the interface org.mpris.MediaPlayer2.Player has properties for.
/// [desktop]
public struct MediaFacts: Equatable, Sendable {
  /// Whether it plays, holds still or stands at an end.
  public enum Status: String, Sendable { case playing = "Playing", paused = "Paused", stopped = "Stopped" }
  /// What is played again.
  public enum Again: String, Sendable { case none = "None", track = "Track", list = "Playlist" }

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
  /// 0.5…2.
  public var rate = 1.0
  /// 0…1.
  public var volume = 1.0
  /// Whether the order is by chance.
  public var isShuffled = false
  /// What is played again.
  public var again = Again.none
  /// Whether there is a next track.
  public var hasNext = false
  /// Whether there is a track before.
  public var hasPrevious = false

  /// A player that has nothing.
  public init() {}
}
