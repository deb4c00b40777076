/// The message by which an Enttec DMX USB Pro, or a compatible interface, puts out a universe ("Output Only Send DMX
/// Packet", label 6). It is encoded once, and slots are patched in place. [frame]
public final class EnttecPacket {
  /// Bytes of a message of 512 slots: start, label, length (2), DMX start code, slots, end.
  public static let size = 518
  private static let slotsPlace = 5

  private let writer: PacketWriter

  /// Encodes the message with all slots 0.
  public init() {
    writer = PacketWriter(count: Self.size)
    let count = 1 + SlotAddress.slots
    // The length is little-endian.
    writer.put([0x7E, 6, UInt8(count & 0xFF), UInt8(count >> 8)], at: 0)
    writer.put(UInt8(0xE7), at: Self.size - 1)
  }

  deinit { writer.bytes.deallocate() }

  /// The slots of the next message.
  public var slots: UnsafeMutableBufferPointer<UInt8> {
    let place = Self.slotsPlace
    return UnsafeMutableRawBufferPointer(rebasing: writer.bytes[place..<(place + SlotAddress.slots)])
      .bindMemory(to: UInt8.self)
  }

  /// The message, valid until slots change.
  public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(writer.bytes) }
}
