/// The packets of one universe of Art-Net 4 (ArtDmx). They are encoded once, and slots are patched in place. [frame]
public final class ArtDmxPacket {
  /// Bytes of a packet of 512 slots.
  public static let size = 530
  private static let slotsPlace = 18

  /// The port address, which must be 0…32767: 7 bits of net, 4 of sub-net, 4 of universe.
  public let portAddress: UInt16
  private let writer: PacketWriter
  private let sequence: PacketSequence

  /// New sequence numbers of a universe: 1…255, repeated.
  public static func newSequence() -> PacketSequence { PacketSequence(to: 255) }

  /// Encodes the packet with all slots 0. Packets with a common `sequence` share its numbers; by default each has its
  /// own.
  public init(portAddress: UInt16, sequence: PacketSequence = ArtDmxPacket.newSequence()) {
    (self.portAddress, self.sequence) = (portAddress, sequence)
    writer = PacketWriter(count: Self.size)
    writer.put("Art-Net".utf8, at: 0)
    // Low byte first: OpCode and port address (SubUni, then Net). High byte first: protocol version and length.
    writer.put([0x00, 0x50], at: 8)
    writer.put(UInt16(14), at: 10)
    writer.put([UInt8(portAddress & 0xFF), UInt8(portAddress >> 8)], at: 14)
    writer.put(UInt16(SlotAddress.slots), at: 16)
  }

  deinit { writer.bytes.deallocate() }

  /// The slots of the next packet.
  public var slots: UnsafeMutableBufferPointer<UInt8> {
    UnsafeMutableRawBufferPointer(rebasing: writer.bytes[Self.slotsPlace...]).bindMemory(to: UInt8.self)
  }

  /// The next packet, valid until the following call.
  public func next() -> UnsafeRawBufferPointer {
    writer.put(sequence.next(), at: 12)
    return UnsafeRawBufferPointer(writer.bytes)
  }

  /// The text form of a port address: net, sub-net, universe.
  public static func text(of portAddress: UInt16) -> String {
    "\(portAddress >> 8).\(portAddress >> 4 & 0xF).\(portAddress & 0xF)"
  }
}
