import Glibc
import TestSupport
import Testing

@testable import OSC

/// The server's sockets, with plain sockets at the other end.
@Suite(.serialized, .blocking) struct PacketServerTests {
  private static func server() throws -> PacketServer { try PacketServer.first(freeIn: 7870...7969) }

  /// A plain socket connected to the server.
  private static func peer(_ type: __socket_type, _ port: UInt16) throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(type.rawValue), 0)
    let result = SocketAddress(.loopback, port: port).withPointer { connect(descriptor, $0, $1) }
    try #require(result == 0, "connect: \(errno)")
    return descriptor
  }

  private static func received(_ descriptor: Int32) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    return count > 0 ? Array(buffer[..<count]) : []
  }

  private let packet = Array("/a\0\0,\0\0\0".utf8)

  @Test func `a datagram arrives with its sender, who gets the answer`() throws {
    let server = try Self.server()
    let peer = try Self.peer(SOCK_DGRAM, server.port)
    defer { close(peer) }
    send(peer, packet, 8, 0)
    var received: [UInt8] = []
    _ = poll {
      server.processEvents(milliseconds: 20) { sender, bytes in
        received = (try? bytes.get()) ?? []
        server.send([1, 2, 3, 4], to: sender)
      }
      return !received.isEmpty
    }
    #expect(received == packet)
    server.processEvents(milliseconds: 0) { _, _ in }
    var answer: [UInt8] = []
    _ = poll {
      answer = Self.received(peer)
      return !answer.isEmpty
    }
    #expect(answer == [1, 2, 3, 4])
  }

  @Test func `above the limit of connections the one that was silent longest is closed`() throws {
    let server = try Self.server()
    let peers = try (0...PacketServer.connectionLimit).map { number in
      defer { server.processEvents(milliseconds: 0) { _, _ in } }
      return try Self.peer(SOCK_STREAM, server.port)
    }
    defer { for peer in peers { close(peer) } }
    // The first one has sent nothing; the others are served.
    for peer in peers { send(peer, [0, 0, 0, 8] + packet, 12, Int32(MSG_NOSIGNAL)) }
    var senders: Set<PacketPeer> = []
    _ = poll {
      server.processEvents(milliseconds: 20) { sender, _ in _ = senders.insert(sender) }
      return senders.count == PacketServer.connectionLimit
    }
    #expect(senders.count == PacketServer.connectionLimit)
    for sender in senders { server.send(packet, to: sender) }
    server.processEvents(milliseconds: 0) { _, _ in }
    let answered = peers.indices.filter { index in
      _ = poll(within: 1) {
        var byte: UInt8 = 0
        return recv(peers[index], &byte, 1, Int32(MSG_DONTWAIT) | Int32(MSG_PEEK)) >= 0 || errno != EAGAIN
      }
      return Self.received(peers[index]) == [0, 0, 0, 8] + packet
    }
    #expect(answered == Array(1...PacketServer.connectionLimit))
    // A peer that has sent since stays, and one that has not is closed next.
    send(peers[1], [0, 0, 0, 8] + packet, 12, Int32(MSG_NOSIGNAL))
    var spoke = false
    _ = poll {
      server.processEvents(milliseconds: 20) { _, _ in spoke = true }
      return spoke
    }
    let late = try Self.peer(SOCK_STREAM, server.port)
    defer { close(late) }
    let isClosed = poll {
      server.processEvents(milliseconds: 20) { _, _ in }
      var byte: UInt8 = 0
      return recv(peers[2], &byte, 1, Int32(MSG_DONTWAIT)) == 0
    }
    #expect(isClosed)
    var byte: UInt8 = 0
    #expect(recv(peers[1], &byte, 1, Int32(MSG_DONTWAIT)) < 0 && errno == EAGAIN)
  }

  @Test(arguments: [
    "GET / HTTP/1.1\r\n", "POST /visgraph/blackout HTTP/1.1\r\n\r\n\0\0\0\u{8}/a\0\0,\0\0\0",
    "PUT / HTTP/1.0\r\n",
    "HEAD /", "OPTIONS * HTTP/1.1\r\n", "DELETE /", "CONNECT a:1", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "\u{16}\u{3}\u{1}\u{2}\0\u{1}", "\r\nGET / HTTP/1.1",
  ])
  func `a connection that begins like a browser's is closed without an answer`(bytes: String) throws {
    let server = try Self.server()
    let peer = try Self.peer(SOCK_STREAM, server.port)
    defer { close(peer) }
    send(peer, bytes, bytes.utf8.count, Int32(MSG_NOSIGNAL))
    var strangers: [PacketServer.RefusedPeer] = []
    var count = 0
    let isClosed = poll {
      server.processEvents(milliseconds: 20, stranger: { strangers.append($0) }) { _, _ in count += 1 }
      var byte: UInt8 = 0
      let got = recv(peer, &byte, 1, Int32(MSG_DONTWAIT))
      return got == 0 || got < 0 && errno == ECONNRESET
    }
    #expect(isClosed && count == 0 && strangers == [.notOSC(.loopback)])
  }

  @Test func `a peer that reads nothing is closed, and delays no other`() throws {
    let server = try Self.server()
    let lazy = try Self.peer(SOCK_STREAM, server.port)
    defer { close(lazy) }
    send(lazy, [0, 0, 0, 8] + packet, 12, 0)
    var sender: PacketPeer?
    _ = poll {
      server.processEvents(milliseconds: 20) { peer, _ in sender = peer }
      return sender != nil
    }
    let big = [UInt8](repeating: 0x2F, count: 60_000)
    for _ in 0..<200 {
      server.send(big, to: try #require(sender))
      server.processEvents(milliseconds: 0) { _, _ in }
    }
    // It may still read what the kernel has buffered, and then finds the end.
    var total = 0
    let isOver = poll {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = recv(lazy, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if count > 0 { total += count }
      return count == 0 || (count < 0 && errno == ECONNRESET)
    }
    #expect(isOver)
    #expect(total < 200 * 60_000)
  }

  @Test func `a port that is taken is refused, and the next one used`() throws {
    let server = try Self.server()
    #expect(throws: ListenError.portTaken(server.address)) { try PacketServer(at: server.address) }
    #expect(try PacketServer.first(freeIn: server.port...server.port + 50).port > server.port)
    let other = ListenAddress(port: 7999)
    let datagrams = ServerSockets.datagrams(at: other)
    defer { close(datagrams) }
    // UDP and TCP need the same port.
    #expect(throws: ListenError.portTaken(other)) { try PacketServer(at: other) }
  }

  @Test func `IPv6 is received and answered, and at all addresses IPv4, too`() throws {
    for (host, from) in [("[::1]", "::1"), ("[::]", "::1"), ("[::]", "127.0.0.1"), ("0.0.0.0", "127.0.0.1")] {
      let server = try PacketServer(at: try ListenAddress("\(host):7998"))
      let to = SocketAddress(try #require(IPAddress(from)), port: 7998)
      let peer = socket(to.family, Int32(SOCK_DGRAM.rawValue), 0)
      defer { close(peer) }
      #expect(to.withPointer { connect(peer, $0, $1) } == 0)
      send(peer, packet, 8, 0)
      var received: PacketPeer?
      _ = poll {
        server.processEvents(milliseconds: 20) { sender, _ in
          received = sender
          server.send([1, 2], to: sender)
        }
        return received != nil
      }
      #expect(received?.address == to.address && received?.address.isLoopback == true)
      server.processEvents(milliseconds: 0) { _, _ in }
      let isAnswered = poll { Self.received(peer) == [1, 2] }
      #expect(isAnswered)
    }
  }

  @Test(arguments: ["0.0.0.0", "[::]"])
  func `an answer comes from the address to which the request was sent`(host: String) throws {
    let server = try PacketServer(at: try ListenAddress("\(host):7996"))
    // Every address of 127.0.0.0/8 is this machine's; by itself the kernel would answer from 127.0.0.1. A connected
    // socket receives nothing from other addresses. A broadcast is answered from the machine's own address.
    for (requested, received) in [
      ("127.0.0.2", "127.0.0.2"), ("127.8.9.10", "127.8.9.10"), ("127.255.255.255", "127.0.0.1"),
    ] {
      let peer = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
      defer { close(peer) }
      var yes: Int32 = 1
      setsockopt(peer, SOL_SOCKET, SO_BROADCAST, &yes, socklen_t(MemoryLayout<Int32>.size))
      let to = SocketAddress(try #require(IPAddress(requested)), port: 7996)
      #expect(SocketAddress(.loopback, port: 0).withPointer { bind(peer, $0, $1) } == 0)
      if requested == received { #expect(to.withPointer { connect(peer, $0, $1) } == 0) }
      #expect(to.withPointer { sendto(peer, packet, 8, 0, $0, $1) } == 8)
      var from: SocketAddress?
      let isAnswered = poll {
        server.processEvents(milliseconds: 20) { sender, _ in server.send([1, 2], to: sender) }
        server.processEvents(milliseconds: 0) { _, _ in }
        var buffer = [UInt8](repeating: 0, count: 64)
        let (count, sender) = SocketAddress.filled {
          recvfrom(peer, &buffer, 64, Int32(MSG_DONTWAIT), $0, $1)
        }
        from = sender
        return count == 2
      }
      #expect(isAnswered && from?.address == IPAddress(received), "\(requested)")
    }
  }

  @Test func `an address of another machine is distinguished from one that is taken`() throws {
    let elsewhere = try ListenAddress("192.0.2.1:7997")
    #expect(throws: ListenError.notOurs(elsewhere)) { try PacketServer(at: elsewhere) }
    #expect("\(ListenError.notOurs(elsewhere))" == "port 7997: this machine has no address 192.0.2.1")
  }

  @Test func `a wait ends by a wake-up`() throws {
    let server = try Self.server()
    let seconds = shortest(below: 10) {
      server.wake()
      let start = now()
      server.processEvents(milliseconds: 20_000) { _, _ in }
      return now() - start
    }
    #expect(seconds < 10)
  }
}
