/// What a datagram holds: a message, or a bundle of packets with a time.
public enum Packet: Sendable, Equatable {
  /// One message.
  case message(Message)
  /// Packets that belong together.
  indirect case bundle(TimeTag, [Packet])

  /// All messages in order, out of their bundles.
  public var messages: [Message] {
    switch self {
    case .message(let message): [message]
    case .bundle(_, let packets): packets.flatMap(\.messages)
    }
  }
}
