import Controls
import Graphs
import Playback

/// What of a show comes back after a restart (`--state FILE`): the one declaration of what the file holds. [control]
struct ShowState: FieldRecord, Equatable {
  /// The graph that it is of, from the root.
  var graph = ""
  /// 0…1.
  var master = 1.0
  /// Whether it is dark.
  var isBlackout = false
  /// The scene.
  var scene: String?
  /// The cue that was gone to last, and whether the next one comes by itself.
  var cue: String?
  var followsOn = false
  /// What was set live, oldest first.
  var settings: [Setting] = []
  /// How the players stand.
  var players: [Position] = []

  static let version = "visgraph-state"
  static let recordName = "state file"
  static let fields: [Field<ShowState>] = [
    Field("graph", \.graph, .text(), "The graph file, from the root."),
    Field("master", \.master, .number(.none, 0...1), "The master."),
    Field("blackout", \.isBlackout, "Whether it is dark."),
    Field("scene", \.scene, .text(), "The scene that it is in."),
    Field("cue", \.cue, .text(), "The number of the cue that was gone to last."),
    Field("follows", \.followsOn, "Whether the next cue comes by itself."),
    Field(
      "settings", \.settings, .list(Setting.kind, count: 0...SettingOverrides.most),
      "What was set live, oldest first."),
    Field("players", \.players, .list(Position.kind, count: 0...1000), "How the players stand."),
  ]

  /// A setting that was made live.
  struct Setting: FieldRecord, FieldValue, Equatable {
    var path = ""
    var value = ""

    static let recordName = "state's setting"
    static let fields: [Field<Setting>] = [
      Field("path", \.path, .text(), "The setting, such as gain.volume."),
      Field("value", \.value, .text(), "As a graph file would write it."),
    ]
  }

  /// Where a player is.
  struct Position: FieldRecord, FieldValue, Equatable {
    var node = ""
    /// The file, as it was given.
    var file = ""
    /// The place in the list, from 0.
    var track = 0
    /// In seconds of the track.
    var time = 0.0
    var isPlaying = false

    static let recordName = "state's player"
    static let fields: [Field<Position>] = [
      Field("node", \.node, .text(), "The id of the file-source."),
      Field("file", \.file, .text(), "The file of the track."),
      Field("track", \.track, .number(.none, 0...10_000_000, whole: true), "The place in the list, from 0."),
      Field("time", \.time, .number(.seconds, 0...1e9), "Where the track was heard."),
      Field("plays", \.isPlaying, "Whether it played."),
    ]
  }
}

extension ShowState.Position {
  /// How a player stands now.
  init(_ node: String, _ snapshot: PlayerSnapshot) {
    (self.node, file, track) = (node, snapshot.path, snapshot.track)
    // A state is as good as its last second; less would make files of it that never are the same.
    time = snapshot.isOver ? 0 : max(0, (snapshot.currentTime * 1000).rounded() / 1000)
    isPlaying = snapshot.isPlaying && !snapshot.isOver
  }

  /// What brings a player there that has the same list; nothing where it has another by now.
  func commands(for snapshot: PlayerSnapshot) -> [PlayerCommand] {
    guard track < snapshot.tracks, track != snapshot.track || file == snapshot.path else { return [] }
    return [.pause] + (track == snapshot.track ? [] : [.track(track)]) + [.seek(time)]
      + (isPlaying ? [.play] : [])
  }
}
