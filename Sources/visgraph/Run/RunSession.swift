import Controls
import Viewer

/// A session that a run belongs to: its manager asks for saving, for the end, and for the pages. [control]
protocol RunSession: AnyObject {
  /// Whether the run is to end, as the manager wants another project.
  var isLeft: Bool { get }
  /// The ports are there, and cycles run; so are the pages, if any. `label` is what the graph calls itself.
  func opened(_ label: String, pages: ViewServer?)
  /// Does what the manager has asked for since the last call: `reloader` saves what was set live, `keeper` the state.
  func attend(_ changes: ChangeRunner, _ reloader: GraphReloader, _ keeper: StateKeeper)
}
