import CLiblo
import Glibc

/// One TCP connection of a server, with its partial input and its unsent output.
struct StreamConnection {
  /// Maximum unsent bytes. A peer that reads too slowly, so that more would wait, is disconnected.
  static let waitingLimit = 262_144

  /// The result of a read.
  enum Reception {
    /// The connection goes on.
    case open
    /// The connection has ended.
    case over
    /// Its first byte is not OSC's: a browser, or a program that expects another server.
    case foreign
  }

  let descriptor: Int32
  /// The other end.
  let peer: PacketPeer
  /// When it last sent something, in nanoseconds of the monotonic clock.
  private(set) var lastHeard: UInt64
  private var stream = PacketStream()
  /// Unsent bytes.
  private var waiting: [UInt8] = []
  /// Whether it is closed once its output is sent.
  private var isEnding = false

  init(_ descriptor: Int32, _ peer: PacketPeer, at time: UInt64) {
    self.descriptor = descriptor
    self.peer = peer
    lastHeard = time
    var yes: Int32 = 1
    // Answers are small, and the peer waits for them.
    _ = setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
  }

  /// The events to poll for.
  var events: Int16 { Int16((isEnding ? 0 : POLLIN) | (waiting.isEmpty ? 0 : POLLOUT)) }

  /// Whether it can be closed.
  var isDone: Bool { isEnding && waiting.isEmpty }

  /// Reads once, at most `buffer.count` bytes.
  mutating func receive(
    _ buffer: UnsafeMutableRawBufferPointer, at time: UInt64, _ found: (Result<[UInt8], OSCError>) -> Void
  ) -> Reception {
    let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
    if count < 0 { return errno == EAGAIN || errno == EINTR ? .open : .over }
    guard count > 0 else { return .over }
    lastHeard = time
    if stream.framing == nil, PacketStream.framing(beginningWith: buffer[0]) == nil { return .foreign }
    do throws(OSCError) {
      try stream.take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), found)
    } catch {
      found(.failure(error))
      // The peer is sent the fault before the connection is closed.
      isEnding = true
    }
    return .open
  }

  /// Queues a packet; returns false where too many bytes are unsent.
  mutating func send(_ packet: [UInt8]) -> Bool {
    let framed = stream.framed(packet)
    guard waiting.count + framed.count <= Self.waitingLimit else { return false }
    waiting += framed
    return true
  }

  /// Sends what the socket accepts; returns false when the connection is over.
  mutating func flush() -> Bool {
    while !waiting.isEmpty {
      let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
      let count = waiting.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, flags) }
      if count < 0 { return errno == EAGAIN || errno == EINTR }
      waiting.removeFirst(count)
    }
    return !isEnding
  }
}
