/// The other packets of an Art-Net 4 controller. [any]
public enum ArtNetPackets {
  /// The port of Art-Net: controllers and nodes send from it and listen on it.
  public static let port: UInt16 = 6454

  /// ArtPoll: asks all nodes for their ArtPollReply. Each answers within 3 s, and again whenever something changes in
  /// it.
  public static let poll: [UInt8] = header(0x2000) + [0x02, 0]

  /// ArtSync: makes all nodes put out the universes that they have received, at one time.
  public static let sync: [UInt8] = header(0x5200) + [0, 0]

  /// The identifier, the OpCode (little-endian), and the protocol version 14.
  private static func header(_ operation: UInt16) -> [UInt8] {
    Array("Art-Net".utf8) + [0, UInt8(operation & 0xFF), UInt8(operation >> 8), 0, 14]
  }
}
