import TestSupport
import Testing

@testable import OSC

@Suite struct PacketStreamTests {
  /// Takes bytes in pieces. A fault of a packet takes the packet's place, and a fault of the stream ends the list.
  private func take(_ bytes: [UInt8], pieces: Int = 1, limit: Int = 65_536) -> [Result<[UInt8], OSCError>] {
    var stream = PacketStream(limit: limit)
    var found: [Result<[UInt8], OSCError>] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(pieces))
      rest = rest.dropFirst(pieces)
      if let fault = take(piece, into: &stream, &found) { return found + [.failure(fault)] }
    }
    return found
  }

  /// The fault that ends the stream, if any.
  private func take(
    _ bytes: [UInt8], into stream: inout PacketStream, _ found: inout [Result<[UInt8], OSCError>]
  ) -> OSCError? {
    bytes.withUnsafeBytes { bytes -> OSCError? in
      do throws(OSCError) {
        try stream.take(bytes) { found.append($0) }
        return nil
      } catch {
        return error
      }
    }
  }

  private let a = Array("/a\0\0,\0\0\0".utf8)
  private let b: [UInt8] = [0x2F, 0xC0, 0xDB, 0, 0xDC, 0xDD, 0xC0, 0xC0]

  @Test(arguments: [1, 2, 3, 7, 1000])
  func `sizes and SLIP are distinguished and read in pieces of any length`(
    pieces: Int
  ) {
    let sized = [0, 0, 0, 8] + a + [0, 0, 0, 8] + b
    #expect(take(sized, pieces: pieces) == [.success(a), .success(b)])
    let escaped: [UInt8] = [0x2F, 0xDB, 0xDC, 0xDB, 0xDD, 0, 0xDC, 0xDD, 0xDB, 0xDC, 0xDB, 0xDC]
    #expect(
      take([0xC0] + a + [0xC0, 0xC0] + escaped + [0xC0], pieces: pieces) == [.success(a), .success(b)])
    #expect(take(a + [0xC0] + escaped + [0xC0], pieces: pieces) == [.success(a), .success(b)])
  }

  @Test func `the other end reads the packets that were written`() throws {
    for (first, framing) in [([UInt8(0), 0, 0, 8] + a, PacketStream.Framing.sized), ([0xC0] + a, .slip)] {
      var stream = PacketStream()
      var found: [Result<[UInt8], OSCError>] = []
      #expect(take(first, into: &stream, &found) == nil)
      #expect(stream.framing == framing)
      #expect(take(stream.framed(a) + stream.framed(b)) == [.success(a), .success(b)])
    }
  }

  @Test func `a browser, a size of 0 and one too large end the stream`() {
    #expect(take(Array("GET / HTTP/1.1\r\n".utf8)) == [.failure(.packet(.noAddress, at: 0))])
    #expect(take([0, 0, 0, 0]) == [.failure(.packet(.size, at: 0))])
    #expect(take([0, 1, 0, 1]) == [.failure(.packet(.tooLarge, at: 65_536))])
    #expect(
      take([0, 0, 0, 8] + a + [0xFF, 0xFF, 0xFF, 0xFF]).last == .failure(.packet(.tooLarge, at: 65_536)))
  }

  @Test func `a faulty SLIP packet is reported, and the next one read`() {
    let end: [UInt8] = [0xC0]
    #expect(
      take(end + [0x2F, 0xDB, 0x41, 0x2F] + end + a + end) == [
        .failure(.packet(.escape, at: 1)), .success(a),
      ])
    #expect(take(end + [0x2F, 0xDB] + end + a + end) == [.failure(.packet(.escape, at: 1)), .success(a)])
    #expect(
      take(end + Array(repeating: 0x2F, count: 9) + end + a + end, limit: 8)
        == [.failure(.packet(.tooLarge, at: 8)), .success(a)])
  }

  @Test func `no limit reaches the size at which the first byte would not be 0`() {
    #expect(PacketStream(limit: 1 << 24).limit == 0xFF_FFFF)
    #expect(PacketStream(limit: .max).limit == 0xFF_FFFF)
    #expect(PacketStream(limit: 0xFF_FFFF).limit == 0xFF_FFFF)
    #expect(PacketStream(limit: 8).limit == 8)
  }

  @Test func `hostile streams end in packets or faults`() {
    var dice = Dice(0xC0DE)
    let seeds = [[0, 0, 0, 8] + a + [0, 0, 0, 8] + b, [0xC0] + a + [0xC0, 0xDB, 0xDC, 0xC0], a + [0xC0]]
    var packets = 0
    let count = mutants(5000)
    for round in 0..<count {
      var bytes = seeds[round % 3]
      for _ in 0...dice.next() % 4 {
        bytes[Int(dice.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: dice.next())
      }
      packets += take(bytes, pieces: 1 + Int(dice.next() % 9)).count
    }
    #expect(packets > count)
  }
}
