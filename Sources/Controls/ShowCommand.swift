public import Playback

/// Something that a running show is asked to do, by whatever way: OSC, a key, a media key. [control]
public enum ShowCommand: Equatable, Sendable {
  /// Asks a player, by the id of its file-source; nil: every player.
  case transport(node: String?, PlayerCommand)
  /// Asks a sound bank, by its id; nil: every one that has such a sound.
  case sound(node: String?, SoundCommand)
  /// Sets a setting: a path such as `gain.volume`, and a value as a graph file would write it.
  case set(path: String, value: String)
  /// Puts a setting, by its path, at a place in its whole range, 0…1.
  case fader(path: String, Float)
  /// Scales every level 0…1 that goes out, 0…1.
  case master(Float)
  /// Holds every level 0…1 that goes out at 0, or lets go.
  case blackout(Bool)
  /// Reads the graph file again.
  case reload
  /// Runs another graph file.
  case load(String)
  /// Ends the show.
  case quit
}

/// Something that a sound bank is asked to do.
public enum SoundCommand: Equatable, Sendable {
  /// Plays a sound.
  case play(String)
  /// Plays a sound and tells so at the port for alerts.
  case alert(String)
  /// Ends a sound, or all of them.
  case stop(String?)
}
