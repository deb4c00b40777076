import Glibc
import Testing

@testable import OSC

/// The sockets, with plain sockets at the other end.
@Suite(.serialized) struct PacketServerTests {
  private static func server() throws -> PacketServer { try PacketServer.first(freeIn: 7870...7969) }

  /// A plain socket connected to the server.
  private static func peer(_ type: __socket_type, _ port: UInt16) throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(type.rawValue), 0)
    var address = LoopbackSockets.address(port: port)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(result == 0, "connect: \(errno)")
    return descriptor
  }

  private static func received(_ descriptor: Int32) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    return count > 0 ? Array(buffer[..<count]) : []
  }

  private let packet = Array("/a\0\0,\0\0\0".utf8)

  @Test func `a datagram comes with who sent it, and is answered`() throws {
    let server = try Self.server()
    let peer = try Self.peer(SOCK_DGRAM, server.port)
    defer { close(peer) }
    send(peer, packet, 8, 0)
    var heard: [UInt8] = []
    _ = eventually {
      server.turn(milliseconds: 20) { sender, bytes in
        heard = (try? bytes.get()) ?? []
        server.send([1, 2, 3, 4], to: sender)
      }
      return !heard.isEmpty
    }
    #expect(heard == packet)
    server.turn(milliseconds: 0) { _, _ in }
    var answer: [UInt8] = []
    _ = eventually {
      answer = Self.received(peer)
      return !answer.isEmpty
    }
    #expect(answer == [1, 2, 3, 4])
  }

  @Test func `one more connection than there may be is closed, and the others go on`() throws {
    let server = try Self.server()
    let peers = try (0...PacketServer.connectionLimit).map { _ in
      defer { server.turn(milliseconds: 0) { _, _ in } }
      return try Self.peer(SOCK_STREAM, server.port)
    }
    defer { for peer in peers { close(peer) } }
    for peer in peers { send(peer, [0, 0, 0, 8] + packet, 12, Int32(MSG_NOSIGNAL)) }
    var senders: Set<PacketPeer> = []
    _ = eventually {
      server.turn(milliseconds: 20) { sender, _ in _ = senders.insert(sender) }
      return senders.count == PacketServer.connectionLimit
    }
    #expect(senders.count == PacketServer.connectionLimit)
    for sender in senders { server.send(packet, to: sender) }
    server.turn(milliseconds: 0) { _, _ in }
    let answered = peers.filter { peer in
      _ = eventually(within: 1) {
        var byte: UInt8 = 0
        return recv(peer, &byte, 1, Int32(MSG_DONTWAIT) | Int32(MSG_PEEK)) >= 0 || errno != EAGAIN
      }
      return Self.received(peer) == [0, 0, 0, 8] + packet
    }
    #expect(answered.count == PacketServer.connectionLimit)
  }

  @Test func `who reads nothing is given up, and holds up nobody`() throws {
    let server = try Self.server()
    let lazy = try Self.peer(SOCK_STREAM, server.port)
    defer { close(lazy) }
    send(lazy, [0, 0, 0, 8] + packet, 12, 0)
    var sender: PacketPeer?
    _ = eventually {
      server.turn(milliseconds: 20) { peer, _ in sender = peer }
      return sender != nil
    }
    let big = [UInt8](repeating: 0x2F, count: 60_000)
    for _ in 0..<200 {
      server.send(big, to: try #require(sender))
      server.turn(milliseconds: 0) { _, _ in }
    }
    // It may still read what the system took, and then finds the end.
    var total = 0
    let isOver = eventually {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = recv(lazy, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if count > 0 { total += count }
      return count == 0 || (count < 0 && errno == ECONNRESET)
    }
    #expect(isOver)
    #expect(total < 200 * 60_000)
  }

  @Test func `a port that somebody has is refused, and the next one taken`() throws {
    let server = try Self.server()
    #expect(throws: ListenFault.portTaken(server.port)) { try PacketServer(port: server.port) }
    #expect(try PacketServer.first(freeIn: server.port...server.port + 50).port > server.port)
    let datagrams = LoopbackSockets.datagrams(port: 7999)
    defer { close(datagrams) }
    // Both ways of coming are wanted at one port.
    #expect(throws: ListenFault.portTaken(7999)) { try PacketServer(port: 7999) }
  }

  @Test func `a wait ends when somebody wakes it`() throws {
    let server = try Self.server()
    server.wake()
    let clock = ContinuousClock()
    let start = clock.now
    server.turn(milliseconds: 20_000) { _, _ in }
    #expect(clock.now - start < .seconds(10))
  }
}
