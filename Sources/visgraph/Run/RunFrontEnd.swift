import Controls
import Engine

/// What a command adds to the run of its graph: a screen of its own, and what it tells and asks for meanwhile. [control]
protocol RunFrontEnd: AnyObject {
  /// The screen; nil where there is none to be had. Who waits for keys is woken when `bell` becomes readable.
  func view(of show: Show, _ environment: [String: String], bell: Int32) -> (any LiveView)?
  /// Looks how things stand, some times a second; tells what has changed, and says what it asks for.
  func poll(_ show: Show, log: Log, hasView: Bool) -> [ShowCommand]
}
