/// Something that happened to a player. [any]
public enum PlayerEvent: Equatable, Sendable {
  /// Another track is heard: its place in the list and its path.
  case track(Int, path: String)
  /// Everything has been played; false: the last file broke off.
  case finished(successfully: Bool)
  /// A file could not be decoded at a time of the track, in seconds; playing went on after it where it could.
  case decodeError(AudioError, at: Double)
  /// A file of the list cannot be played and was left out.
  case skipped(AudioError)
  /// Something that a folder or a playlist names leads to no file and was left out.
  case leftOut(ListError)
  /// The server went away.
  case interruptionBegan
  /// The server is back, and playing goes on where it was.
  case interruptionEnded
}
