import Controls
import Engine

/// What a subcommand adds to a run: a screen of its own, log lines and commands. [control]
protocol RunFrontEnd: AnyObject {
  /// The screen; nil where there is no terminal. `wakeDescriptor` becomes readable to end a wait for keys.
  func view(of show: Show, _ environment: [String: String], wakeDescriptor: Int32) -> (any LiveView)?
  /// Called several times a second. Logs changes and returns commands.
  func poll(_ show: Show, log: Log, hasView: Bool) -> [ShowCommand]
}
