/// Something that a sound bank is asked to do.
public enum SoundCommand: Equatable, Sendable {
  /// Plays a sound.
  case play(String)
  /// Plays a sound and tells so at the port for alerts.
  case alert(String)
  /// Ends a sound, or all of them.
  case stop(String?)
}

extension SoundCommand {
  /// The sound that is meant; nil: all of them.
  var name: String? {
    switch self {
    case .play(let name), .alert(let name): name
    case .stop(let name): name
    }
  }
}
