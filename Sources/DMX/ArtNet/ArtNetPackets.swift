/// The packets of a controller of Art-Net 4 besides universes. [any]
public enum ArtNetPackets {
  /// The port of Art-Net: controllers and nodes send from it and listen at it.
  public static let port: UInt16 = 6454

  /// Asks all nodes who they are (ArtPoll): each answers within 3 s, and again whenever something changes in it.
  public static let poll: [UInt8] = header(0x2000) + [0x02, 0]

  /// Has all nodes show at one time what they have got (ArtSync).
  public static let sync: [UInt8] = header(0x5200) + [0, 0]

  /// An identifier, the operation with its lowest byte first, and the version of the protocol.
  private static func header(_ operation: UInt16) -> [UInt8] {
    Array("Art-Net".utf8) + [0, UInt8(operation & 0xFF), UInt8(operation >> 8), 0, 14]
  }
}

/// What an Art-Net node states of itself (ArtPollReply), with four of its ports at most: one that has more sends several, told
/// apart by `page`. [any]
public struct ArtPollReply: Equatable, Sendable {
  /// The shortest that is read: up to the MAC address, as nodes before Art-Net 3 end there.
  public static let size = 207

  /// The short name, without what cannot be shown.
  public let name: String
  /// Which page of the node's ports it is, 0 and up (BindIndex).
  public let page: UInt8
  /// The port addresses that the node puts out as DMX, in the order of its ports.
  public let outputs: [UInt16]

  /// Reads a packet; nil where it is none of these.
  public init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.size, bytes.prefix(8).elementsEqual(Array("Art-Net".utf8) + [0]),
      bytes[8] == 0x00, bytes[9] == 0x21
    else { return nil }
    name = Self.text(bytes[26..<44])
    page = bytes.count > 211 ? bytes[211] : 0
    let base = UInt16(bytes[18] & 0x7F) << 8 | UInt16(bytes[19] & 0xF) << 4
    // Nodes that say more than four have four places all the same.
    let count = min(4, Int(bytes[172]) << 8 | Int(bytes[173]))
    outputs = (0..<count).compactMap { port in
      // It puts out what the network has.
      bytes[174 + port] & 0x80 != 0 ? base | UInt16(bytes[190 + port] & 0xF) : nil
    }
  }

  /// The text of a field, up to the first byte of 0.
  private static func text(_ bytes: some Sequence<UInt8>) -> String {
    let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    return String(
      text.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }.map(Character.init)
    )
  }
}
