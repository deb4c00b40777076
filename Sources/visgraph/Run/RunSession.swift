import Controls
import Viewer

/// The session of a run: its manager asks to save, to end, and to show pages. [control]
protocol RunSession: AnyObject {
  /// Whether the run must end because the manager asks for another project.
  var isLeft: Bool { get }
  /// Call it when ports exist and cycles run. `pages` is nil where none are served; `label` is the graph's name.
  func opened(_ label: String, pages: ViewServer?)
  /// Carries out requests of the manager since the last call. `reloader` saves live settings, `keeper` the state.
  func attend(_ changes: ChangeRunner, _ reloader: GraphReloader, _ keeper: StateKeeper)
  /// Shows the user of the manager what the run has lost, such as a file that could not be written.
  func report(_ loss: String)
}
