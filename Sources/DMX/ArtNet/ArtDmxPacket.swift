/// The packets of one universe of Art-Net 4 (ArtDmx), encoded once and patched in place. [frame]
public final class ArtDmxPacket {
  /// Bytes of a packet of 512 slots.
  public static let size = 530
  private static let slotsPlace = 18

  /// The port address, 0…32767: 7 bits of net, 4 of sub-net, 4 of universe.
  public let portAddress: UInt16
  private let writer: PacketWriter
  private let sequence: PacketSequence

  /// The numbers of a universe's packets: 1 to 255 in turn.
  public static var sequence: PacketSequence { PacketSequence(to: 255) }

  /// Encodes it, with all slots 0; packets of several that have one sequence are numbered together.
  public init(portAddress: UInt16, sequence: PacketSequence = sequence) {
    (self.portAddress, self.sequence) = (portAddress, sequence)
    writer = PacketWriter(count: Self.size)
    writer.put("Art-Net".utf8, at: 0)
    // The operation alone has its lowest byte first.
    writer.put([0x00, 0x50], at: 8)
    writer.put(UInt16(14), at: 10)
    writer.put([UInt8(portAddress & 0xFF), UInt8(portAddress >> 8)], at: 14)
    writer.put(UInt16(SlotAddress.slots), at: 16)
  }

  deinit { writer.bytes.deallocate() }

  /// The slots, as they go out next.
  public var slots: UnsafeMutableBufferPointer<UInt8> {
    UnsafeMutableRawBufferPointer(rebasing: writer.bytes[Self.slotsPlace...]).bindMemory(to: UInt8.self)
  }

  /// The next packet, valid until the one after it.
  public func next() -> UnsafeRawBufferPointer {
    writer.put(sequence.next(), at: 12)
    return UnsafeRawBufferPointer(writer.bytes)
  }

  /// A port address as people write it: net, sub-net, universe.
  public static func text(of portAddress: UInt16) -> String {
    "\(portAddress >> 8).\(portAddress >> 4 & 0xF).\(portAddress & 0xF)"
  }
}
