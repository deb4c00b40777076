import DMX
import Testing

/// WLED packets, byte by byte, by the tables of its documentation.
@Suite struct WledPacketsTests {
  private func packets(_ packets: WledPackets, of bytes: [UInt8]) -> [[UInt8]] {
    var all: [[UInt8]] = []
    bytes.withUnsafeBytes { bytes in
      packets.make(of: bytes) {
        all.append(Array($0))
        return true
      }
    }
    return all
  }

  @Test func `each mode has exactly these bytes`() {
    #expect(packets(WledPackets(.drgb, timeout: 2), of: [9, 8, 7, 6, 5, 4]) == [[2, 2, 9, 8, 7, 6, 5, 4]])
    #expect(packets(WledPackets(.drgbw, timeout: 255), of: [9, 8, 7, 6]) == [[3, 255, 9, 8, 7, 6]])
    #expect(
      packets(WledPackets(.warls, first: 3, timeout: 1), of: [9, 8, 7, 6, 5, 4]) == [
        [1, 1, 3, 9, 8, 7, 4, 6, 5, 4]
      ])
    #expect(
      packets(WledPackets(.dnrgb, first: 0x102, timeout: 2), of: [9, 8, 7]) == [[4, 2, 1, 2, 9, 8, 7]])
    #expect(
      packets(WledPackets(.dnrgbw, first: 5, timeout: 2), of: [9, 8, 7, 6]) == [[5, 2, 0, 5, 9, 8, 7, 6]])
  }

  @Test func `LEDs that do not fit into a packet take several, none longer than 1472 bytes`() {
    let bytes = (0..<1000 * 3).map { UInt8(truncatingIfNeeded: $0 / 3) }
    let made = packets(WledPackets(.dnrgb, first: 100, timeout: 2), of: bytes)
    #expect(made.map(\.count) == [4 + 489 * 3, 4 + 489 * 3, 4 + 22 * 3])
    #expect(made.map { Int($0[2]) << 8 | Int($0[3]) } == [100, 589, 1078])
    #expect(made.flatMap { $0.dropFirst(4) } == bytes)
    let white = packets(WledPackets(.dnrgbw, timeout: 2), of: [UInt8](repeating: 1, count: 400 * 4))
    #expect(white.map(\.count) == [4 + 367 * 4, 4 + 33 * 4])
    let numbered = packets(WledPackets(.warls, timeout: 2), of: [UInt8](repeating: 1, count: 256 * 3))
    #expect(numbered.map(\.count) == [1022, 6] && numbered[1] == [1, 2, 255, 1, 1, 1])
  }

  @Test func `the mode follows from bytes, number and first index of LEDs`() {
    #expect(WledPackets.mode(of: 490, bytes: 3, first: 0) == .drgb)
    #expect(WledPackets.mode(of: 491, bytes: 3, first: 0) == .dnrgb)
    #expect(WledPackets.mode(of: 10, bytes: 3, first: 1) == .dnrgb)
    #expect(WledPackets.mode(of: 367, bytes: 4, first: 0) == .drgbw)
    #expect(WledPackets.mode(of: 368, bytes: 4, first: 0) == .dnrgbw)
    #expect(WledPackets.mode(of: 65_536, bytes: 3, first: 0) == .dnrgb)
    #expect(WledPackets.mode(of: 65_536, bytes: 3, first: 1) == nil)
    #expect(WledPackets.mode(of: 10, bytes: 5, first: 0) == nil)
  }

  @Test func `a packet of audio sync has exactly these 44 bytes`() {
    var content = WledSyncPacket.Content()
    content.raw = 100
    content.smooth = 0.5
    content.isPeak = true
    content.bands = Array(1...16)
    content.magnitude = 4096
    content.frequency = 1000
    let packet = WledSyncPacket()
    let head: [UInt8] = [0x30, 0x30, 0x30, 0x30, 0x32, 0, 0, 0]
    let levels: [UInt8] = [0, 0, 0xC8, 0x42, 0, 0, 0, 0x3F, 1, 0]
    let tail: [UInt8] = [0, 0, 0, 0, 0x80, 0x45, 0, 0, 0x7A, 0x44]
    #expect(Array(packet.make(content)) == head + levels + Array(1...16) + tail)
    #expect(
      Array(packet.make(WledSyncPacket.Content())) == head + [UInt8](repeating: 0, count: 32) + [
        0, 0, 0x80, 0x3F,
      ])
  }

  @Test func `a DDP query has exactly these bytes, and answers are distinguished from other packets`() {
    #expect(DdpQuery.status.packet == [0x42, 0, 0, 251, 0, 0, 0, 0, 0, 0])
    #expect(DdpQuery.configuration.packet[3] == 250)
    let answer: [UInt8] = [0x45, 0, 0, 251, 0, 0, 0, 0, 0, 2, 0x7B, 0x7D]
    #expect(DdpQuery.answer(answer)?.to == .status && DdpQuery.answer(answer)?.json == [0x7B, 0x7D])
    #expect(DdpQuery.answer(Array(answer.dropLast())) == nil)
    #expect(DdpQuery.answer(DdpQuery.status.packet) == nil)
    #expect(DdpQuery.answer([0x45, 0, 0, 1, 0, 0, 0, 0, 0, 0]) == nil && DdpQuery.answer([]) == nil)
    let timed: [UInt8] = [0x55, 0, 0, 250, 0, 0, 0, 0, 0, 1, 1, 2, 3, 4, 9]
    #expect(DdpQuery.answer(timed)?.json == [9])
  }
}
