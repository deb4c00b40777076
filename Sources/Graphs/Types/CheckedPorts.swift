/// An input port with its wires.
public struct CheckedInput: Sendable {
  /// One channel of an output port.
  public struct Source: Hashable, Sendable {
    /// The node, by index into the graph's nodes.
    public var node: Int
    /// Its output port, by index.
    public var output: Int
    /// The channel, by index from 0.
    public var channel: Int

    package init(node: Int, output: Int, channel: Int) {
      self.node = node
      self.output = output
      self.channel = channel
    }
  }

  /// The name of the port.
  public var name: String
  /// The type of its wires; nil: nothing is wired to it.
  public var type: PortType?
  /// The channels, numbered from 1 at this port.
  public var channels: [Channel]
  /// The sources of each channel. Audio sources are added in this order; a level or number has exactly one source.
  public var sources: [[Source]]
  /// The unit of the levels that arrive; nil: none, or several.
  public var unit: LevelUnit?

  package init(
    name: String, type: PortType?, channels: [Channel], sources: [[Source]], unit: LevelUnit? = nil
  ) {
    self.name = name
    self.type = type
    self.channels = channels
    self.sources = sources
    self.unit = unit
  }
}

/// An output port with its channels.
public struct CheckedOutput: Sendable {
  /// The port's name.
  public var name: String
  /// The type of its wires.
  public var type: PortType
  /// Its channels.
  public var channels: [Channel]
  /// The unit of its levels; nil: none.
  public var unit: LevelUnit?

  package init(name: String, type: PortType, channels: [Channel], unit: LevelUnit? = nil) {
    self.name = name
    self.type = type
    self.channels = channels
    self.unit = unit
  }
}
