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
  public func packet() throws(OSCFault) -> [UInt8] {
    try AddressCharacters.check(address)
    let encoded = try EncodedMessage()
    for argument in arguments { try encoded.add(argument) }
    return try encoded.packet(to: address)
  }
}
