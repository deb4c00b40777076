import Controls

/// What shows a running show on a terminal and takes its keys: the screen of a graph, or that of a player. [control]
protocol LiveView: AnyObject {
  /// Draws, unless that was done a moment ago.
  func show(_ status: ShowStatus, hints: [Hint])
  /// What the keys ask for that were pressed, after at most until it is time to draw again.
  func asked() -> [ShowCommand]
  /// Whether the terminal has gone for good.
  var hasHungUp: Bool { get }
  /// Puts the terminal back as it was.
  func close()
}
