/// A port that a graph asks its host for: in JACK a port that people connect in a patchbay.
public struct HostPort: Equatable, Sendable {
  /// Which way sound goes.
  public enum Direction: String, Sendable {
    /// Into visgraph.
    case input
    /// Out of visgraph.
    case output
  }

  /// Its number in the host's table of buffers; the same name keeps its number from plan to plan.
  public var number: Int
  /// `ID_N`, such as `in_1`.
  public var name: String
  /// Which way sound goes.
  public var direction: Direction
  /// The channel's name, for people.
  public var label: String?
  /// Its place among the ports in a patchbay, from 1.
  public var order: Int
  /// What it wants to be connected to.
  public var connect: ConnectRule

  /// Makes a port.
  public init(
    number: Int, name: String, direction: Direction, label: String?, order: Int, connect: ConnectRule
  ) {
    self.number = number
    self.name = name
    self.direction = direction
    self.label = label
    self.order = order
    self.connect = connect
  }
}

/// What a port wants to be connected to.
public enum ConnectRule: Equatable, Sendable {
  /// To nothing; people patch it.
  case none
  /// To the sound card: the n-th physical port of the other direction, n being the port's channel, counted from 1.
  case physical(channel: Int)
  /// Inputs only: to whatever feeds the n-th physical loudspeaker, following changes.
  case speakers(channel: Int)
  /// To these ports by full name; a name between slashes is a regular expression on full names.
  case ports([String])
}
