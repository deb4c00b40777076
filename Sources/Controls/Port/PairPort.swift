public import OSC

/// How the control port recognizes and answers the other machine of a pair; neither closure may wait. [port]
public struct PairPort: Sendable {
  /// Whether an address is that of the other machine, whose requests have no rate limit.
  let isOther: @Sendable (IPAddress) -> Bool
  /// The answer to a request; nil: the peer is not the other machine.
  let answer: @Sendable (PacketPeer, PairRequest) -> Message?

  /// Takes both closures.
  public init(
    isOther: @escaping @Sendable (IPAddress) -> Bool,
    answer: @escaping @Sendable (PacketPeer, PairRequest) -> Message?
  ) {
    (self.isOther, self.answer) = (isOther, answer)
  }
}
