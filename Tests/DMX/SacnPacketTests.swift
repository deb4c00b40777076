import DMX
import Testing

/// sACN packets, byte by byte, by the tables of ANSI E1.31-2018.
@Suite struct SacnPacketTests {
  /// The bytes of hexadecimal digits; spaces are ignored.
  private func bytes(_ text: String) -> [UInt8] {
    let digits = text.filter(\.isHexDigit).map(String.init)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] + digits[$0 + 1], radix: 16)! }
  }

  private let source = SacnSource(identity: "test", name: "visgraph")

  @Test func `an identifier is a UUID of version 8 that depends on the identity alone`() {
    #expect(source.identifier == SacnSource(identity: "test", name: "other").identifier)
    #expect(source.identifier != SacnSource(identity: "tesu", name: "visgraph").identifier)
    #expect(source.identifier.count == 16)
    #expect(source.identifier[6] >> 4 == 8 && source.identifier[8] >> 6 == 2)
  }

  @Test func `a data packet has exactly these bytes`() {
    let packet = SacnPacket(universe: 258, source: source, sync: 7000)
    packet.slots[0] = 1
    packet.slots[511] = 0xFE
    _ = packet.next(priority: 100)
    let found = Array(packet.next(priority: 110, options: [.preview, .terminated]))
    #expect(found.count == 638)
    let name = Array("visgraph".utf8) + [UInt8](repeating: 0, count: 56)
    let expected: [UInt8] =
      bytes("0010 0000 4153432d45312e3137000000 726e 00000004") + source.identifier
      + bytes("7258 00000002") + name + bytes("6e 1b58 01 c0 0102 720b 02 a1 0000 0001 0201 00") + [1]
      + [UInt8](repeating: 0, count: 510) + [0xFE]
    #expect(found == expected)
  }

  @Test func `slot priorities have exactly these bytes, and are numbered with the levels`() {
    let source = SacnSource(identity: "test", name: "visgraph")
    let levels = SacnPacket(universe: 258, source: source)
    let packet = SacnPacket(universe: 258, source: source, startCode: SacnPacket.priorities)
    packet.slots[0] = 200
    packet.slots[511] = 1
    _ = levels.next(priority: 100)
    let found = Array(packet.next(priority: 100))
    let name = Array("visgraph".utf8) + [UInt8](repeating: 0, count: 56)
    let expected: [UInt8] =
      bytes("0010 0000 4153432d45312e3137000000 726e 00000004") + source.identifier
      + bytes("7258 00000002") + name + bytes("64 0000 01 00 0102 720b 02 a1 0000 0001 0201 dd c8")
      + [UInt8](repeating: 0, count: 510) + [1]
    #expect(found == expected)
    #expect(levels.next(priority: 100)[111] == 2)
  }

  @Test func `each universe numbers its own packets, and goes on in another output`() {
    let (one, two) = (SacnPacket(universe: 1, source: source), SacnPacket(universe: 2, source: source))
    #expect((0..<300).allSatisfy { one.next(priority: 100)[111] == UInt8(truncatingIfNeeded: $0) })
    #expect(two.next(priority: 100)[111] == 0)
    #expect(SacnPacket(universe: 1, source: source).next(priority: 100)[111] == 300 % 256)
  }

  @Test func `a synchronization packet has exactly these bytes`() {
    let expected =
      bytes("0010 0000 4153432d45312e3137000000 7021 00000008") + source.identifier
      + bytes("700b 00000001 00 1b58 0000")
    _ = SacnPacket(universe: 7000, source: source).next(priority: 100)
    let packet = SacnSynchronization(of: 7000, source: source)
    #expect(Array(packet.next()) == expected)
    // Another output that is shown by the same packets.
    let other = SacnSynchronization(of: 7000, source: source)
    #expect(other.next()[44] == 1 && packet.next()[44] == 2)
  }

  @Test func `513 universes are announced on two pages`() {
    let pages = SacnExtended.discovery((1...513).map { UInt16($0) }, source: source)
    #expect(pages.map(\.count) == [1144, 122])
    let name = Array("visgraph".utf8) + [UInt8](repeating: 0, count: 56)
    let second =
      bytes("0010 0000 4153432d45312e3137000000 706a 00000008") + source.identifier
      + bytes("7054 00000002") + name + bytes("00000000 700a 00000001 01 01 0201")
    #expect(pages[1] == second)
    #expect(pages[0][118] == 0 && pages[0][119] == 1)
    #expect(Array(pages[0][120..<124]) == [0, 1, 0, 2] && Array(pages[0][1142...]) == [2, 0])
    #expect(SacnExtended.discovery([], source: source).map(\.count) == [120])
  }

  @Test func `multicast groups are those of the standard`() {
    #expect(SacnSource.group(of: 1) == "239.255.0.1")
    #expect(SacnSource.group(of: 63_999) == "239.255.249.255")
    #expect(SacnSource.group(of: SacnSource.discoveryUniverse) == "239.255.250.214")
    #expect(SacnSource.groupIPv6(of: 258) == "ff18::8300:102")
  }

  @Test func `a name is cut to 63 bytes, at a character`() {
    let long = SacnSource(identity: "test", name: String(repeating: "ä", count: 40))
    #expect(long.name.utf8.count == 62)
  }
}
