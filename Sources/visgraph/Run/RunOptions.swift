import Controls
import Graphs
import Viewer

/// The host that `--host` asks for.
enum HostKind: String, CaseIterable {
  case auto, jack, clock
}

/// The options of a live run.
struct RunOptions {
  var host: HostKind
  var server: String?
  var client: String
  /// Whether the run fails if another client has the name.
  var exactName: Bool
  /// Whether the run waits for a JACK server that does not answer at the start.
  var waits: Bool
  /// The length of the run on the timeline, in s; nil: no limit.
  var length: Double?
  /// The path of the file of levels.
  var levels: String?
  /// Whether the graph is reloaded when its files change.
  var watch: Bool
  /// Samples a cycle of the clock host.
  var cycle: Int
  var verbose: Bool
  var quiet: Bool
  /// Where the control port listens.
  var control: ControlSettings
  /// Where the pages are served.
  var view: ViewSettings
  /// A log file of the messages at the control port.
  var logControl: String?
  /// A file that records commands with the times at which they acted.
  var recordControl: String?
  /// A control score to play back.
  var controlScore: ControlScore?
  /// A file that keeps the show's state.
  var state: String?
  /// This machine's role in a pair; nil: there is no pair.
  var pair: PairOptions?
  /// The session of a session manager; nil: none.
  var session: (any RunSession)?
  /// Folders of files that control messages may name.
  var folders: [String]
  /// The front end of a subcommand; nil: the screen of a graph.
  var frontEnd: (any RunFrontEnd)?
}
