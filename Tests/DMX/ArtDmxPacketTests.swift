import DMX
import Testing

/// Art-Net packets, byte by byte, by the tables of Art-Net 4.
@Suite struct ArtDmxPacketTests {
  @Test func `a packet has exactly these bytes`() {
    let packet = ArtDmxPacket(portAddress: 0x123)
    packet.slots[1] = 0x7F
    let expected: [UInt8] =
      Array("Art-Net".utf8) + [0, 0x00, 0x50, 0, 14, 1, 0, 0x23, 0x01, 0x02, 0x00, 0, 0x7F]
      + [UInt8](repeating: 0, count: 510)
    #expect(Array(packet.next()) == expected)
  }

  @Test func `sequence numbers go from 1 to 255 and are never 0`() {
    let packet = ArtDmxPacket(portAddress: 0)
    let numbers = (0..<511).map { _ in Int(packet.next()[12]) }
    #expect(numbers == Array(1...255) + Array(1...255) + [1])
  }

  @Test func `two packets with one sequence are numbered together`() {
    let sequence = ArtDmxPacket.newSequence()
    let packets = [1, 2].map { _ in ArtDmxPacket(portAddress: 7, sequence: sequence) }
    #expect([0, 0, 1, 0, 1].map { packets[$0].next()[12] } == [1, 2, 3, 4, 5])
  }

  @Test func `a port address is shown as net, sub-net and universe`() {
    #expect(ArtDmxPacket.text(of: 0) == "0.0.0")
    #expect(ArtDmxPacket.text(of: 0x7FFF) == "127.15.15")
    #expect(ArtDmxPacket.text(of: 16) == "0.1.0")
  }
}
