import Controls
import Graphs
import Nodes
import Playback

/// The state of a show that a restart restores (`--state FILE`). This declares the file's content. [control]
struct ShowState: FieldRecord, Equatable {
  /// The graph: its `id`, its absolute path, and its path relative to the state file's folder.
  var id: String?
  var graph = ""
  var relative = ""
  /// The master, 0…1.
  var master = 1.0
  /// Whether there is a blackout.
  var isBlackout = false
  var scene: String?
  /// The current cue, and whether the next one follows by itself.
  var cue: String?
  var followsOn = false
  /// The mark of `AlarmClock`: local time in s since 1970 up to which all alarms have run.
  var clock: Int?
  /// Live settings, oldest first.
  var settings: [Setting] = []
  var players: [Position] = []

  static let version = "visgraph-state"
  static let recordName = "state file"
  static let fields: [Field<ShowState>] = [
    Field("id", \.id, .text(), "What the graph calls itself, its `id`."),
    Field("graph", \.graph, .text(), "The graph file, from the root."),
    Field("relative", \.relative, .text(), "The graph file, from the folder of the state file."),
    Field("master", \.master, .number(.none, 0...1), "The master."),
    Field("blackout", \.isBlackout, "Whether it is dark."),
    Field("scene", \.scene, .text(), "The scene that it is in."),
    Field("cue", \.cue, .text(), "The number of the cue that was gone to last."),
    Field("follows", \.followsOn, "Whether the next cue comes by itself."),
    Field(
      "clock", \.clock, .number(.seconds, 0...1e12, whole: true),
      "What the clocks of the place showed, behind which no alarm was due, in seconds since 1970."),
    Field(
      "settings", \.settings, .list(Setting.kind, count: 0...SettingOverrides.most),
      "What was set live, oldest first."),
    Field("players", \.players, .list(Position.kind, count: 0...1000), "How the players stand."),
  ]

  /// A live setting by its path; of a player, by the parameter's name.
  struct Setting: FieldRecord, FieldValue, Equatable {
    var path = ""
    var value = ""

    static let recordName = "state's setting"
    static let fields: [Field<Setting>] = [
      Field("path", \.path, .text(), "The setting, such as gain.volume."),
      Field("value", \.value, .text(), "As a graph file would write it."),
    ]
  }

  /// The position of a player.
  struct Position: FieldRecord, FieldValue, Equatable {
    var node = ""
    /// The path as given.
    var file = ""
    /// The index in the list, from 0.
    var track = 0
    /// The position in the track, in s.
    var time = 0.0
    var isPlaying = false
    /// Parameters that differ from the graph's: volume, rate, pan and so on.
    var settings: [Setting] = []

    static let recordName = "state's player"
    static let fields: [Field<Position>] = [
      Field("node", \.node, .text(), "The id of the file-source."),
      Field("file", \.file, .text(), "The file of the track."),
      Field("track", \.track, .number(.none, 0...10_000_000, whole: true), "The place in the list, from 0."),
      Field("time", \.time, .number(.seconds, 0...1e9), "Where the track was heard."),
      Field("plays", \.isPlaying, "Whether it played."),
      Field(
        "settings", \.settings, .list(Setting.kind, count: 0...PlayerSettings.maxLiveValues),
        "How it plays, if the transport was set otherwise than the graph says."),
    ]
  }
}

extension ShowState.Position {
  /// The position of a player of `graph` now.
  init(_ node: String, _ snapshot: PlayerSnapshot, in graph: CheckedGraph) {
    (self.node, file, track) = (node, snapshot.path, snapshot.track)
    // Rounded to 1 ms, so that the text of a number stays short.
    time = snapshot.isOver ? 0 : max(0, (snapshot.currentTime * 1000).rounded() / 1000)
    isPlaying = snapshot.isPlaying && !snapshot.isOver
    settings = snapshot.settings.liveValues
      .filter { graph.text(at: "\(node).\($0.name)") != $0.value }
      .map { ShowState.Setting(path: $0.name, value: $0.value) }
  }

  /// The commands that restore the parameters, and the position if the player has the same list. With another list the
  /// player begins as the graph says.
  func commands(for snapshot: PlayerSnapshot) -> [PlayerCommand] {
    let changes = snapshot.settings.applying(settings.map { ($0.path, $0.value) }).commands(
      since: snapshot.settings)
    guard track < snapshot.tracks, track != snapshot.track || file == snapshot.path else { return changes }
    return [.pause] + changes + (track == snapshot.track ? [] : [.track(track)]) + [.seek(time)]
      + (isPlaying ? [.play] : [])
  }
}
