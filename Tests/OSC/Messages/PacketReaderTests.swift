import System
import Testing

@testable import OSC

@Suite struct PacketReaderTests {
  @Test func `all types are read`() throws {
    let packet = bytes(
      """
      2f610000 2c696673 62544e46 49686474 00000000
      ffffffff 3f000000 68690000 00000002 abcd0000
      00000000 00000005 3ff80000 00000000 00000000 00000001
      """)
    #expect(
      try PacketReader().read(packet)
        == .message(
          Message(
            "/a", .int(-1), .float(0.5), .string("hi"), .blob([0xAB, 0xCD]), .bool(true), .null, .bool(false),
            .impulse, .int64(5), .double(1.5), .timeTag(.immediate))))
  }

  @Test func `bundles are read, nested ones too`() throws {
    let message = "00000008 2f610000 2c000000"
    let inner = "2362756e646c6500 0000000180000000" + message
    let packet = bytes("2362756e646c6500 0000000000000001" + message + "0000001c" + inner)
    let read = try PacketReader().read(packet)
    #expect(
      read
        == .bundle(
          .immediate,
          [
            .message(Message("/a")),
            .bundle(TimeTag(rawValue: 0x1_8000_0000), [.message(Message("/a"))]),
          ]))
    #expect(read.messages == [Message("/a"), Message("/a")])
    #expect(throws: OSCError.packet(.tooDeep, at: 32)) { try PacketReader(depthLimit: 1).read(packet) }
    #expect(try PacketReader().read(bytes("2362756e646c6500 0000000000000001")) == .bundle(.immediate, []))
  }

  @Test(arguments: [
    ("", PacketError.truncated, 0),
    ("2f6100", .ragged, 0),
    ("61000000 2c000000", .noAddress, 0),
    ("2362756e 646c6500", .noAddress, 0),
    ("2362756e 646c6600 00000000 00000001", .noAddress, 0),
    ("2f616161", .text, 0),
    ("2f610001 2c000000", .text, 0),
    ("2fff0000 2c000000", .text, 0),
    ("2f610000 2c696969", .text, 4),
    ("2f610000 2c690000", .truncated, 8),
    ("2f610000 2c680000 00000000", .truncated, 8),
    ("2f610000 2c000000 00000000", .leftover, 8),
    ("2f610000 2c620000 ffffffff", .size, 8),
    ("2f610000 2c620000 7fffffff 00000000", .truncated, 8),
    ("2f610000 2c620000 00000001 00000001", .leftover, 13),
    ("2362756e646c6500 0000000000000001 00000000", .size, 16),
    ("2362756e646c6500 0000000000000001 80000000", .size, 16),
    ("2362756e646c6500 0000000000000001 00000010 2f610000 2c000000", .truncated, 16),
    ("2362756e646c6500 0000000000000001 00000006 2f610000 2c000000", .ragged, 20),
    ("2362756e646c6500 0000000000000001 00000004 00000000", .noAddress, 20),
  ])
  func `a broken packet is refused at the faulty byte`(packet: String, defect: PacketError, at: Int) {
    #expect(throws: OSCError.packet(defect, at: at)) { try PacketReader().read(bytes(packet)) }
  }

  @Test(arguments: [
    ("2f610000 69000000 00000001", PacketError.noTypeTags, 4),
    ("2f610000 2c5b695d 00000000 00000000", .unknownType(0x5B), 5),
    ("2f610000 2c697200 00000000 00000000", .unknownType(0x72), 6),
  ])
  func `a message that cannot be read is skipped, and its bundle is not`(
    message: String, defect: PacketError, at: Int
  ) throws {
    let alone = try PacketReader().read(bytes(message))
    #expect(alone == .undecodable("/a", .packet(defect, at: at)))
    #expect(alone.messages.isEmpty)
    let size = String(bytes(message).count, radix: 16)
    let other = "00000008 2f620000 2c000000"
    let bundle = bytes(
      "2362756e646c6500 0000000000000001" + other + "000000" + (size.count < 2 ? "0" : "") + size + message
        + other)
    let read = try PacketReader().read(bundle)
    #expect(read.messages == [Message("/b"), Message("/b")])
    #expect(read.undecodable.map(\.address) == ["/a"])
    #expect(read.undecodable.map(\.fault) == [.packet(defect, at: at + 32)])
  }

  @Test func `a message without type tags has no arguments`() throws {
    #expect(try PacketReader().read(bytes("2f610000")) == .message(Message("/a")))
    #expect(
      try PacketReader().read(bytes("2362756e646c6500 0000000000000001 00000004 2f610000")).messages
        == [Message("/a")])
  }

  @Test func `a packet larger than allowed is refused unread`() throws {
    let reader = PacketReader(byteLimit: 8)
    #expect(try reader.read(bytes("2f610000 2c000000")) == .message(Message("/a")))
    #expect(throws: OSCError.packet(.tooLarge, at: 8)) {
      try reader.read([UInt8](repeating: 0x2F, count: 12))
    }
  }

  @Test func `20,000 hostile packets do not crash the reader, and read messages can be written again`() throws
  {
    var random = RandomStream(seed: 0x5EED)
    let message = Message(
      "/visgraph/node/rig/rate", .int(1), .float(0.5), .string("Kick"), .blob([1, 2, 3]), .bool(true), .null,
      .impulse, .int64(2), .double(3), .timeTag(.immediate))
    let plain = try message.packet()
    let header = bytes("2362756e646c6500 0000000000000001")
    let size = withUnsafeBytes(of: UInt32(plain.count).bigEndian, Array.init)
    var bundle = header + size + plain
    for _ in 0..<12 {
      bundle = header + withUnsafeBytes(of: UInt32(bundle.count).bigEndian, Array.init) + bundle
    }
    let seeds = [plain, header + size + plain + size + plain, bundle, Array(bundle[120...])]
    var readable = 0
    for round in 0..<20_000 {
      var packet = seeds[round % seeds.count]
      for _ in 0...Int(random.next() % 4) {
        switch random.next() % 4 {
        case 0: packet[Int(random.next() % UInt64(packet.count))] = UInt8(truncatingIfNeeded: random.next())
        case 1: packet[Int(random.next() % UInt64(packet.count))] ^= 1 << UInt8(random.next() % 8)
        case 2: packet.removeLast(min(packet.count - 1, Int(random.next() % 9)))
        default:
          let at = Int(random.next() % UInt64(packet.count + 1))
          packet.insert(
            contentsOf: [[0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF], [0x7F]][Int(random.next() % 3)], at: at)
        }
      }
      guard let read = try? PacketReader().read(packet) else { continue }
      readable += 1
      for message in read.messages {
        guard let again = try? message.packet() else { continue }
        #expect(try PacketReader().read(again) == .message(message))
      }
    }
    #expect(readable > 500 && readable < 19_500)
  }
}
