/// What a node type is told when it makes its running halves.
public struct Making<Settings: Sendable> {
  /// The node's settings.
  public let settings: PerChannel<Settings>
}
