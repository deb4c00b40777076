/// ArtPollReply: what an Art-Net node states of itself and of at most four ports. A node with more sends several,
/// which differ in `page`. [any]
public struct ArtPollReply: Equatable, Sendable {
  /// Minimum bytes: up to the MAC address, at which nodes before Art-Net 3 end.
  public static let size = 207

  /// The short name, without control characters.
  public let name: String
  /// The page of the node's ports, from 0 (BindIndex).
  public let page: UInt8
  /// The port addresses that the node puts out as DMX, in the order of its ports.
  public let outputs: [UInt16]

  /// Parses a packet; nil if it is not an ArtPollReply.
  public init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.size, bytes.prefix(8).elementsEqual(Array("Art-Net".utf8) + [0]),
      bytes[8] == 0x00, bytes[9] == 0x21
    else { return nil }
    name = Self.text(bytes[26..<44])
    page = bytes.count > 211 ? bytes[211] : 0
    let base = UInt16(bytes[18] & 0x7F) << 8 | UInt16(bytes[19] & 0xF) << 4
    // The packet has fields for four ports, whatever number a node states.
    let count = min(4, Int(bytes[172]) << 8 | Int(bytes[173]))
    outputs = (0..<count).compactMap { port in
      // Bit 7: the port puts out data from Art-Net.
      bytes[174 + port] & 0x80 != 0 ? base | UInt16(bytes[190 + port] & 0xF) : nil
    }
  }

  /// The text of a field, up to the first zero.
  private static func text(_ bytes: some Sequence<UInt8>) -> String {
    let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    return String(
      text.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }.map(Character.init)
    )
  }
}
