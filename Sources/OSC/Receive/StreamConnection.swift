import CLiblo
import Glibc

/// One TCP connection of a server: what has come so far, and what has not gone yet.
struct StreamConnection {
  /// The most bytes that wait to go; one that takes nothing for so long is given up.
  static let waitingLimit = 262_144

  /// What has come of reading.
  enum Reception {
    /// It goes on.
    case open
    /// It has ended.
    case over
    /// It began with what is no OSC: a browser, or another program that means another server.
    case foreign
  }

  let descriptor: Int32
  /// The other end.
  let peer: PacketPeer
  /// When something has come from it last, in nanoseconds of the monotonic clock.
  private(set) var lastHeard: UInt64
  private var stream = PacketStream()
  private var waiting: [UInt8] = []
  /// Whether it is to be closed once what waits has gone.
  private var isEnding = false

  init(_ descriptor: Int32, _ peer: PacketPeer, at time: UInt64) {
    self.descriptor = descriptor
    self.peer = peer
    lastHeard = time
    var yes: Int32 = 1
    // Answers are small, and the sender waits for them.
    _ = setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
  }

  /// What to wait for.
  var events: Int16 { Int16((isEnding ? 0 : POLLIN) | (waiting.isEmpty ? 0 : POLLOUT)) }

  /// Whether it has no more to do.
  var isDone: Bool { isEnding && waiting.isEmpty }

  /// Reads what is there, at most as much as `buffer` holds.
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
      // The sender is sent the reason, if it reads.
      isEnding = true
    }
    return .open
  }

  /// Queues a packet; false when the other end has taken nothing for too long.
  mutating func send(_ packet: [UInt8]) -> Bool {
    let framed = stream.framed(packet)
    guard waiting.count + framed.count <= Self.waitingLimit else { return false }
    waiting += framed
    return true
  }

  /// Writes as much as goes; false when the connection is over.
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
