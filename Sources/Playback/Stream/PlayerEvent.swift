/// An event of a player. [any]
public enum PlayerEvent: Equatable, Sendable {
  /// Another track is heard: its index in the list and its path.
  case track(Int, path: String)
  /// All tracks have been played; `successfully` is false if the last file broke off.
  case finished(successfully: Bool)
  /// A file could not be decoded at a time in seconds of the track; playing went on after it if possible.
  case decodeError(AudioError, at: Double)
  /// A file of the list cannot be played and is left out.
  case skipped(AudioError)
  /// An entry of a folder or a playlist leads to no file and is left out.
  case leftOut(ListError)
  /// The audio server is gone.
  case interruptionBegan
  /// The audio server is back, and playing goes on where it was.
  case interruptionEnded
}
