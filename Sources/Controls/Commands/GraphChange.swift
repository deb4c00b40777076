/// A change of the graph that waits for the control thread.
public struct GraphChange: Sendable {
  /// Takes the reason why a request is refused. [any]
  public typealias Refusal = @Sendable (ControlError) -> Void

  /// The most changes that wait.
  public static let most = 256

  /// The command to carry out.
  public var command: ShowCommand
  /// Called with the reason if the command is refused.
  public var refused: Refusal
  /// Commands for the same setting that this one replaced while they waited, oldest first. If this one is refused, the
  /// newest of them takes its place.
  public var earlier: [ShowCommand] = []
  /// Whether it comes from a scene, and not from a message for this setting alone.
  public var isOfScene = false
}
