import DMX
import Testing

/// DDP packets, byte by byte, by the tables of 3waylabs.
@Suite struct DdpPacketsTests {
  private func packets(_ packets: DdpPackets, of bytes: [UInt8]) -> [[UInt8]] {
    var all: [[UInt8]] = []
    bytes.withUnsafeBytes { bytes in
      packets.make(of: bytes) {
        all.append(Array($0))
        return true
      }
    }
    return all
  }

  @Test func `a frame that fits is one packet with exactly these bytes`() {
    let made = packets(DdpPackets(bytes: 3), of: [1, 2, 3, 4, 5, 6])
    #expect(made == [[0x41, 1, 0x0B, 1, 0, 0, 0, 0, 0, 6, 1, 2, 3, 4, 5, 6]])
    let white = packets(DdpPackets(bytes: 4, device: 2, first: 0x10203), of: [9, 8, 7, 6])
    #expect(white == [[0x41, 1, 0x1B, 2, 0, 1, 2, 3, 0, 4, 9, 8, 7, 6]])
  }

  @Test func `a large frame is cut between LEDs, has one sequence number, and is shown by its last packet`() {
    let bytes = (0..<16_384 * 3).map { UInt8(truncatingIfNeeded: $0 / 3) }
    let stream = DdpPackets(bytes: 3)
    var numbers: [UInt8] = []
    for _ in 0..<31 {
      let made = packets(stream, of: bytes)
      #expect(made.count == 35)
      #expect(made.dropLast().allSatisfy { $0[0] == 0x40 && $0.count == 1450 } && made.last?[0] == 0x41)
      #expect(Set(made.map { $0[1] }).count == 1)
      var place = 0
      for packet in made {
        let offset = packet[4..<8].reduce(0) { $0 << 8 | Int($1) }
        #expect(offset == place && Int(packet[8]) << 8 | Int(packet[9]) == packet.count - 10)
        place += packet.count - 10
      }
      #expect(made.flatMap { $0.dropFirst(10) } == bytes)
      numbers.append(made[0][1])
    }
    #expect(numbers == Array(1...15) + Array(1...15) + [1])
  }

  @Test func `two packets with one sequence are numbered together`() {
    let sequence = DdpPackets.newSequence()
    let streams = [1, 2].map { _ in DdpPackets(bytes: 3, sequence: sequence) }
    #expect([0, 1, 1, 0].map { packets(streams[$0], of: [1, 2, 3])[0][1] } == [1, 2, 3, 4])
  }

  @Test func `frames of LEDs with five bytes are cut between LEDs, too`() {
    let made = packets(DdpPackets(bytes: 5), of: [UInt8](repeating: 7, count: 300 * 5))
    #expect(made.map { $0.count - 10 } == [1440, 60] && made[0][2] == 0)
  }
}
