import DMX
import TestSupport
import Testing

/// Packets of an Art-Net 4 controller, byte by byte, and how it reads answers.
@Suite struct ArtNetPacketsTests {
  @Test func `a poll and a synchronization have exactly these bytes`() {
    let name = Array("Art-Net".utf8) + [0]
    #expect(ArtNetPackets.poll == name + [0x00, 0x20, 0, 14, 0x02, 0])
    #expect(ArtNetPackets.sync == name + [0x00, 0x52, 0, 14, 0, 0])
    #expect(ArtNetPackets.port == 6454)
  }

  /// An answer by the table of Art-Net 4, with three ports: two outputs and an input.
  private let answer: [UInt8] = {
    var bytes = [UInt8](repeating: 0, count: 239)
    func put(_ values: [UInt8], at place: Int) {
      bytes.replaceSubrange(place..<(place + values.count), with: values)
    }
    put(Array("Art-Net".utf8) + [0, 0x00, 0x21, 10, 9, 0, 2, 0x36, 0x19, 0, 1], at: 0)
    put([0x81, 0x25], at: 18)
    put(Array("Rack \u{1B}[31mü".utf8), at: 26)
    put(Array("A long name".utf8), at: 44)
    put([0, 3, 0x80, 0x40, 0xC5], at: 172)
    put([7, 8, 9, 10], at: 186)
    put([0x0F, 1, 0xF2, 3], at: 190)
    put([10, 9, 0, 2, 2], at: 207)
    return bytes
  }()

  private func read(_ bytes: [UInt8]) -> ArtPollReply? { bytes.withUnsafeBytes { ArtPollReply($0) } }

  @Test func `an answer gives the name, the page, and the port addresses of outputs`() throws {
    let reply = try #require(read(answer))
    // Net 1 (bit 7 is not part of it), sub-net 5, universes 15 and 2.
    #expect(reply.outputs == [0x15F, 0x152])
    #expect(reply.page == 2)
    #expect(reply.name == "Rack [31mü")
  }

  @Test func `an answer of an old node ends after its ports, and a shorter or other packet is no answer`() {
    #expect(read(Array(answer.prefix(207)))?.outputs == [0x15F, 0x152])
    #expect(read(Array(answer.prefix(207)))?.page == 0)
    #expect(read(Array(answer.prefix(206))) == nil)
    #expect(read(ArtNetPackets.poll) == nil)
    var other = answer
    other[0] = 0x61
    #expect(read(other) == nil)
  }

  @Test func `mutated answers are read without a fault, with at most four ports`() {
    var dice = Dice(11)
    // One expectation at the end: one for each answer would take longer than the reading.
    var wrong: [[UInt8]] = []
    for _ in 0..<mutants(20_000) {
      var bytes = answer
      for _ in 0..<Int.random(in: 1...8, using: &dice) {
        bytes[Int.random(in: 10...238, using: &dice)] = UInt8.random(in: .min ... .max, using: &dice)
      }
      bytes = Array(bytes.prefix(Int.random(in: 0...239, using: &dice)))
      guard let reply = read(bytes) else {
        if bytes.count >= 207 { wrong.append(bytes) }
        continue
      }
      let isRight =
        reply.outputs.count <= 4 && reply.outputs.allSatisfy { $0 < 32_768 }
        && reply.name.unicodeScalars.allSatisfy { $0.value >= 0x20 }
      if !isRight { wrong.append(bytes) }
    }
    #expect(wrong.isEmpty)
  }
}
