/// How much was handed over for sending.
public struct SendCounts: Sendable, Equatable {
  /// Datagrams.
  public var packets: UInt64
  /// Messages inside them.
  public var messages: UInt64
  /// New values that the rate held back for a while; the last of them went out later.
  public var held: UInt64

  /// Three counts, from 0.
  public init(packets: UInt64 = 0, messages: UInt64 = 0, held: UInt64 = 0) {
    self.packets = packets
    self.messages = messages
    self.held = held
  }
}
