/// A message: an address and its arguments.
public struct Message: Sendable, Equatable {
  /// The address in the receiver, such as `/cue/start`.
  public var address: String
  /// The arguments in order; may be empty.
  public var arguments: [Argument]

  /// Makes a message without checking it; `packet()` checks it.
  public init(_ address: String, _ arguments: Argument...) {
    self.init(address, arguments: arguments)
  }

  /// Makes a message from a list of arguments, without checking it.
  public init(_ address: String, arguments: [Argument]) {
    self.address = address
    self.arguments = arguments
  }

  /// Encodes the message with liblo. [any]
  ///
  /// Throws where the address is not valid, a text contains a zero byte, a number is NaN, or the packet is larger
  /// than a datagram.
  public func packet() throws(OSCError) -> [UInt8] {
    try AddressCharacters.check(address)
    let encoded = try EncodedMessage()
    for argument in arguments { try encoded.add(argument) }
    return try encoded.packet(to: address)
  }
}

/// A decoded packet: a message, or a bundle of packets with a time tag. Bundles are nested at most as deep as
/// `PacketReader.depthLimit`, which bounds the recursion here.
public enum Packet: Sendable, Equatable {
  /// One message.
  case message(Message)
  /// A bundle.
  indirect case bundle(TimeTag, [Packet])
  /// A message that cannot be decoded: its address and the fault.
  case undecodable(String, OSCError)

  /// All messages in order, those of nested bundles included.
  public var messages: [Message] {
    switch self {
    case .message(let message): [message]
    case .bundle(_, let packets): packets.flatMap(\.messages)
    case .undecodable: []
    }
  }

  /// The messages that cannot be decoded, in order: address and fault.
  public var undecodable: [(address: String, fault: OSCError)] {
    switch self {
    case .message: []
    case .bundle(_, let packets): packets.flatMap(\.undecodable)
    case .undecodable(let address, let fault): [(address, fault)]
    }
  }
}
