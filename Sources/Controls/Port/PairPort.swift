public import OSC

/// The other machine of a pair, as the control port has to do with it; neither may wait. [port]
public struct PairPort: Sendable {
  /// Whether an address is that of the other machine, whose questions no limit holds up.
  let isOther: @Sendable (IPAddress) -> Bool
  /// The answer to a peer; nil where it is not the other machine.
  let answer: @Sendable (PacketPeer, PairRequest) -> Message?

  /// By what it is known, and what it is answered.
  public init(
    isOther: @escaping @Sendable (IPAddress) -> Bool,
    answer: @escaping @Sendable (PacketPeer, PairRequest) -> Message?
  ) {
    (self.isOther, self.answer) = (isOther, answer)
  }
}
