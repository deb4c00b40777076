/// A channel of sound in a graph: one of an output of a node.
public struct SoundChannel: Hashable, Sendable {
  /// The node's id.
  public var node: String
  /// The output port's name.
  public var output: String
  /// The channel, from 0.
  public var channel: Int

  /// Names a channel.
  public init(node: String, output: String, channel: Int) {
    (self.node, self.output, self.channel) = (node, output, channel)
  }
}
