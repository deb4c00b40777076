/// A change of the graph that waits, and what is called when it is refused.
public struct GraphChange: Sendable {
  /// Is called when something asked for is refused. [any]
  public typealias Refusal = @Sendable (ControlError) -> Void

  /// The most that wait.
  public static let most = 256

  /// What is asked for.
  public var command: ShowCommand
  /// Is called with the reason why it is refused.
  public var refused: Refusal
  /// Values of the same setting that came before it and still waited, oldest first: should this one be refused, the
  /// newest of them counts.
  public var earlier: [ShowCommand] = []
  /// Whether a scene asks for it, and not a message for this setting alone.
  public var isOfScene = false
}
