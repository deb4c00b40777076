import Controls
import Graphs
import Viewer

/// Who runs the cycles, as the command line says it.
enum HostKind: String, CaseIterable {
  case auto, jack, clock
}

/// What the command line says of a live run.
struct RunOptions {
  var host: HostKind
  var server: String?
  var client: String
  var exactName: Bool
  var waits: Bool
  var length: Double?
  var levels: String?
  var watch: Bool
  var cycle: Int
  var verbose: Bool
  var quiet: Bool
  /// Where control messages are taken.
  var control: ControlSettings
  /// Where the pages are served.
  var view: ViewSettings
  /// A file that keeps all that comes to the control port.
  var logControl: String?
  /// A file that keeps what was asked for and when it acted.
  var recordControl: String?
  /// What the show is asked for, and when.
  var controlScore: ControlScore?
  /// A file that keeps how the show stands.
  var state: String?
  /// Which of a pair of machines it is; nil: it is alone.
  var pair: PairOptions?
  /// The session that it belongs to; nil: none.
  var session: (any RunSession)?
  /// Where files may lie that control messages name.
  var folders: [String]
  /// What the command adds to the run; nil: the screen of a graph, and nothing more.
  var frontEnd: (any RunFrontEnd)?
}
