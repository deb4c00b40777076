import DMX
import OSC
import TestSupport
import Testing

@testable import Nodes

/// Which nodes of Art-Net get a universe, by their answers and their silence.
@Suite struct ArtNetDirectoryTests {
  /// A second, in nanoseconds.
  private let second: UInt64 = 1_000_000_000

  /// An answer with these port addresses, all of one sub-net.
  private func reply(_ name: String, _ outputs: [UInt16], page: UInt8 = 1) throws -> ArtPollReply {
    var bytes = [UInt8](repeating: 0, count: 239)
    bytes.replaceSubrange(0..<10, with: Array("Art-Net".utf8) + [0, 0x00, 0x21])
    bytes.replaceSubrange(26..<(26 + name.utf8.count), with: Array(name.utf8))
    (bytes[173], bytes[211]) = (UInt8(outputs.count), page)
    for (index, output) in outputs.enumerated() {
      bytes[18] = UInt8(output >> 8)
      bytes[19] = UInt8(output >> 4 & 15)
      bytes[174 + index] = 0x80
      bytes[190 + index] = UInt8(output & 15)
    }
    return try #require(bytes.withUnsafeBytes { ArtPollReply($0) })
  }

  private func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }

  @Test func `a node gets the universes that it puts out, until its answers change or it is silent for 31 s`()
    throws
  {
    var directory = ArtNetDirectory()
    let (one, two) = (try address("10.0.0.1"), try address("10.0.0.2"))
    func receivers(_ portAddress: UInt16, at time: UInt64) -> [String] {
      directory.nodes(of: portAddress, at: time).map { "\($0.address)" }
    }
    #expect(directory.take(try reply("Two", [5, 6]), from: two, at: 1 * second))
    #expect(directory.take(try reply("One", [5]), from: one, at: 2 * second))
    #expect(
      receivers(5, at: 3 * second) == ["10.0.0.1", "10.0.0.2"] && receivers(6, at: 3 * second) == ["10.0.0.2"]
    )
    // Another page of the node's ports; the same answer once more changes nothing.
    #expect(directory.take(try reply("Part", [0x123], page: 2), from: one, at: 3 * second))
    #expect(!directory.take(try reply("One", [5]), from: one, at: 4 * second))
    #expect(receivers(0x123, at: 4 * second) == ["10.0.0.1"])
    // The node now puts out another universe.
    #expect(directory.take(try reply("Two", [7]), from: two, at: 5 * second))
    #expect(receivers(6, at: 5 * second) == [] && receivers(7, at: 5 * second) == ["10.0.0.2"])
    #expect(receivers(5, at: 35 * second - 1) == ["10.0.0.1"] && receivers(5, at: 35 * second) == [])
    #expect(directory.count(at: 35 * second) == 1 && directory.count(at: 36 * second) == 0)
    // After a silence the same answer gives the node its universe anew.
    #expect(directory.take(try reply("One", [5]), from: one, at: 40 * second))
    #expect(receivers(5, at: 40 * second) == ["10.0.0.1"])
  }

  @Test func `a page that is no longer answered is forgotten`() throws {
    var directory = ArtNetDirectory()
    let node = try address("10.0.0.3")
    func receivers(_ portAddress: UInt16, at time: UInt64) -> [String] {
      directory.nodes(of: portAddress, at: time).map { "\($0.address)" }
    }
    #expect(directory.take(try reply("Rack", [1]), from: node, at: 0))
    #expect(directory.take(try reply("Rack", [0x12], page: 2), from: node, at: 0))
    var changes: [UInt64] = []
    for time in stride(from: 3 * second, through: 39 * second, by: 3 * Int(second)) {
      if directory.take(try reply("Rack", [1]), from: node, at: time) { changes.append(time / second) }
      #expect(receivers(0x12, at: time) == (time < 31 * second ? ["10.0.0.3"] : []))
    }
    #expect(changes == [33])
    #expect(receivers(1, at: 40 * second) == ["10.0.0.3"])
    #expect(directory.reports(at: 40 * second).map(\.state) == ["10.0.0.3 Rack puts out 0.0.1"])
    // After a silence only what the node reports anew counts.
    #expect(directory.take(try reply("Rack", [0x12], page: 2), from: node, at: 80 * second))
    #expect(receivers(1, at: 80 * second) == [] && receivers(0x12, at: 80 * second) == ["10.0.0.3"])
  }

  @Test func `a node is reported by name, as silent after 8 s, and not at all after 10 minutes`() throws {
    var directory = ArtNetDirectory()
    let node = try address("10.0.0.9")
    _ = directory.take(try reply("Rack", [0, 1, 2, 3]), from: node, at: 0)
    _ = directory.take(try reply("Part", [16, 17], page: 2), from: node, at: 0)
    func reports(at time: UInt64) -> [String] {
      directory.reports(at: time).map { "\($0.isWell ? "" : "! ")\($0.state)" }
    }
    let puts = "puts out 0.0.0, 0.0.1, 0.0.2, 0.0.3 and 2 more"
    #expect(reports(at: 8 * second - 1) == ["10.0.0.9 Rack \(puts)"])
    #expect(reports(at: 8 * second) == ["! 10.0.0.9 Rack no longer answers; it \(puts)"])
    directory.forget(at: 600 * second - 1)
    #expect(reports(at: 600 * second - 1).count == 1)
    directory.forget(at: 600 * second)
    #expect(reports(at: 600 * second) == [])
    _ = directory.take(try reply("", []), from: node, at: 700 * second)
    #expect(reports(at: 700 * second) == ["10.0.0.9 has no output"])
  }

  @Test func `of a flood of forged answers 1024 nodes are kept, and earlier nodes keep their universes`()
    throws
  {
    var directory = ArtNetDirectory()
    let reply = try reply("Node", [1])
    for number in 0..<5000 {
      _ = directory.take(reply, from: try address("10.1.\(number / 250).\(number % 250)"), at: second)
    }
    #expect(directory.count(at: second) == 1024)
    #expect(directory.take(try self.reply("First", [9]), from: try address("10.1.0.0"), at: 2 * second))
    #expect(directory.nodes(of: 9, at: 2 * second).map { "\($0.address)" } == ["10.1.0.0"])
  }
}
