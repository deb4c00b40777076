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
  /// How fast, 0.5…2.
  case rate(Double)
  /// How loud, 0…1.
  case volume(Double)
  /// Whether the order is by chance.
  case shuffle(Bool)
  /// What is played again.
  case again(MediaFacts.Again)
  /// Plays a file instead, by its absolute path.
  case open(String)
}
