import Testing

@testable import OSC

@Suite struct MessageTests {
  @Test(arguments: [
    (Message("/cue"), "2f637565 00000000 2c000000"),
    (Message("/cue", .int(-2)), "2f637565 00000000 2c690000 fffffffe"),
    (Message("/a", .float(0.5), .string("Kick")), "2f610000 2c667300 3f000000 4b69636b 00000000"),
    (Message("/a", .string("")), "2f610000 2c730000 00000000"),
    (Message("/a", .blob([1, 2, 3])), "2f610000 2c620000 00000003 01020300"),
    (Message("/a", .bool(true), .bool(false), .null, .impulse), "2f610000 2c54464e 49000000"),
    (Message("/a", .int64(1)), "2f610000 2c680000 00000000 00000001"),
    (Message("/a", .double(-0.5)), "2f610000 2c640000 bfe00000 00000000"),
    (Message("/a", .timeTag(.immediate)), "2f610000 2c740000 00000000 00000001"),
    (Message("/a", .string("é")), "2f610000 2c730000 c3a90000"),
  ])
  func `a message has exactly these bytes`(message: Message, expected: String) throws {
    let packet = try message.packet()
    #expect(hex(packet) == hex(bytes(expected)))
    #expect(try PacketReader().read(packet) == .message(message))
  }

  @Test(arguments: [
    (Message("cue"), OSCError.addressStart("cue")),
    (Message("/cue 1"), .addressCharacter(" ", at: 4, in: "/cue 1")),
    (Message("/a", .string("x\0y")), .zeroByte("x\0y")),
    (Message("/a", .blob([])), .emptyBlob),
    (Message("/a", .float(.nan)), .notANumber),
    (Message("/a", .double(.nan)), .notANumber),
  ])
  func `an invalid message is refused`(message: Message, fault: OSCError) {
    #expect(throws: fault) { try message.packet() }
  }

  @Test(arguments: [(65_500, 65_512), (70_000, 70_000)])
  func `a blob that fits into no packet is refused`(count: Int, bytes: Int) {
    let message = Message("/a", .blob([UInt8](repeating: 0, count: count)))
    #expect(throws: OSCError.packetTooLarge(bytes: bytes, limit: 65_507)) { try message.packet() }
  }
}
