import Glibc
import System
import TestSupport
import Testing

@testable import OSC

/// Packets that are sent together.
@Suite(.waiting) struct PacketBatchTests {
  /// Packets of these sizes, each filled with its number; the test frees them.
  private func packets(_ sizes: [Int]) -> [UnsafeRawBufferPointer] {
    sizes.enumerated().map { number, size in
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 8)
      memory.initializeMemory(as: UInt8.self, repeating: UInt8(truncatingIfNeeded: number))
      return UnsafeRawBufferPointer(memory)
    }
  }

  private func check(_ sizes: [Int], isIPv6: Bool = false) throws {
    guard let receiver = try? OscReceiver(isIPv6: isIPv6) else {
      return #expect(isIPv6, "no socket on 127.0.0.1")
    }
    let target = Target(try Endpoint(isIPv6 ? "[::1]:\(receiver.port)" : "127.0.0.1:\(receiver.port)"))
    let batch = PacketBatch(target)
    let all = packets(sizes)
    defer { for packet in all { packet.deallocate() } }
    for packet in all { batch.add(packet) }
    batch.send()
    for packet in all { #expect(receiver.receive() == Array(packet)) }
    #expect(target.status.sent == UInt64(sizes.count) && target.status.failed == 0)
    // No packet is sent again.
    batch.send()
    #expect(target.status.sent == UInt64(sizes.count))
  }

  @Test(arguments: [false, true])
  func `packets of any sizes arrive one by one and in order, however many are sent together`(isIPv6: Bool)
    throws
  {
    try check([638], isIPv6: isIPv6)
    try check(Array(repeating: 638, count: 150), isIPv6: isIPv6)
    // Runs of equal sizes, a smaller one at the end of a run, a larger one after it, and single ones.
    try check([638, 638, 638, 49, 638, 1472, 1472, 10, 10, 10, 20, 1, 638, 638], isIPv6: isIPv6)
  }

  @Test func `packets too large for the network's segmentation are sent one by one`() throws {
    // The loopback has no such limit; a refusal has the same effect.
    let receiver = try OscReceiver()
    let target = Target(try Endpoint("127.0.0.1:\(receiver.port)"))
    let all = packets([60_000, 60_000, 5])
    defer { for packet in all { packet.deallocate() } }
    let batch = PacketBatch(target)
    for packet in all { batch.add(packet) }
    batch.send()
    for packet in all { #expect(receiver.receive()?.count == packet.count) }
    #expect(target.status.sent == 3 && target.status.failed == 0)
  }

  @Test
  func `when another thread ends the lights, waiting packets are dropped and later ones are sent one by one`()
    throws
  {
    let receiver = try OscReceiver()
    let target = Target(try Endpoint("127.0.0.1:\(receiver.port)"))
    let all = packets(Array(repeating: 638, count: 5))
    defer { for packet in all { packet.deallocate() } }
    let batch = PacketBatch(target)
    for packet in all[..<3] { batch.add(packet) }
    batch.stopWaiting()
    batch.add(all[3])
    #expect(target.status.sent == 1)
    // The sending thread calls once more.
    batch.send()
    batch.add(all[4])
    #expect(receiver.receive() == Array(all[3]))
    #expect(receiver.receive() == Array(all[4]))
    #expect(target.status.sent == 2)
  }

  @Test func `only a socket with segmentation offload gets several packets at a time`() throws {
    func cuts(_ family: Int32, _ type: __socket_type) -> Bool {
      let descriptor = socket(family, Int32(type.rawValue), 0)
      defer { close(descriptor) }
      return Descriptor.cutsDatagrams(on: descriptor)
    }
    // Linux 4.18 and later.
    #expect(cuts(AF_INET, SOCK_DGRAM))
    #expect(!cuts(AF_UNIX, SOCK_DGRAM) && !cuts(AF_INET, SOCK_STREAM))
  }

  @Test func `a missing receiver is reported, and one that starts later gets all packets`() throws {
    let port = try OscReceiver.closedPort()
    let target = Target(try Endpoint("127.0.0.1:\(port)"))
    let all = packets([638, 638, 638, 638])
    defer { for packet in all { packet.deallocate() } }
    let batch = PacketBatch(target)
    func send() {
      for packet in all { batch.add(packet) }
      batch.send()
    }
    #expect(
      poll {
        send()
        return target.status.state == .refused
      })
    #expect(target.status.refusals > 0 && target.status.failed == 0)
    let receiver = try OscReceiver(port: port)
    send()
    for packet in all { #expect(receiver.receive() == Array(packet)) }
    target.close()
    let before = target.status.dropped
    send()
    #expect(target.status.dropped == before + 4)
  }
}
