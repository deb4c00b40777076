import DMX
import Testing

/// Messages to an Enttec DMX USB Pro, byte by byte, by its programming interface 1.44.
@Suite struct EnttecPacketTests {
  @Test func `a message has exactly these bytes, whatever its content`() {
    let packet = EnttecPacket()
    packet.slots[0] = 0x7E
    packet.slots[511] = 0xE7
    let expected: [UInt8] =
      [0x7E, 6, 0x01, 0x02, 0, 0x7E] + [UInt8](repeating: 0, count: 510) + [0xE7, 0xE7]
    #expect(Array(packet.bytes) == expected && packet.slots.count == 512)
  }
}
