/// One message: an address and its arguments, to be sent once or as received.
public struct Message: Sendable, Equatable {
  /// Where it goes inside the receiver: `/cue/start`.
  public var address: String
  /// In order; may be empty.
  public var arguments: [Argument]

  /// Checks nothing yet: `packet()` does.
  public init(_ address: String, _ arguments: Argument...) {
    self.init(address, arguments: arguments)
  }

  /// The same from a list.
  public init(_ address: String, arguments: [Argument]) {
    self.address = address
    self.arguments = arguments
  }

  /// The packet to send, encoded by liblo. [any]
  ///
  /// Throws when the address is not a legal one, a text holds a zero byte, a number is NaN,
  /// or the packet is larger than a datagram.
  public func packet() throws(OSCError) -> [UInt8] {
    try AddressCharacters.check(address)
    let encoded = try EncodedMessage()
    for argument in arguments { try encoded.add(argument) }
    return try encoded.packet(to: address)
  }
}

/// What a datagram holds: a message, or a bundle of packets with a time.
public enum Packet: Sendable, Equatable {
  /// One message.
  case message(Message)
  /// Packets that belong together.
  indirect case bundle(TimeTag, [Packet])
  /// A message to an address whose arguments cannot be read, and why.
  case leftOut(String, OSCError)

  /// All messages in order, out of their bundles.
  public var messages: [Message] {
    switch self {
    case .message(let message): [message]
    case .bundle(_, let packets): packets.flatMap(\.messages)
    case .leftOut: []
    }
  }

  /// The messages that cannot be read, in order: their addresses, and why.
  public var leftOut: [(address: String, fault: OSCError)] {
    switch self {
    case .message: []
    case .bundle(_, let packets): packets.flatMap(\.leftOut)
    case .leftOut(let address, let fault): [(address, fault)]
    }
  }
}
