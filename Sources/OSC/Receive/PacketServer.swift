import CLiblo
import Glibc
import System

/// Receives packets by UDP and TCP at one port from allowed peers, and answers them. All that it buffers is bounded,
/// and it never waits for a peer.
///
/// One thread calls `processEvents`; any thread may `send` and `wake`.
public final class PacketServer: @unchecked Sendable {
  /// Maximum TCP connections at a time; for one more, the connection that has been silent longest is closed.
  public static let connectionLimit = 32
  /// Maximum queued answers; further ones are dropped.
  public static let answerLimit = 4096
  /// Maximum datagrams received before connections are served.
  private static let datagramsPerTurn = 64

  /// A peer whose packets are dropped without an answer.
  public enum RefusedPeer: Sendable, Equatable {
    /// A packet or a connection from an address that is not allowed.
    case notAllowed(IPAddress)
    /// A connection whose first byte is not OSC's, such as that of HTTP or TLS.
    case notOSC(IPAddress)
  }

  /// Where it listens.
  public let address: ListenAddress
  /// Its port.
  public var port: UInt16 { address.port }
  private let allowed: AllowedPeers
  /// The UDP socket.
  private let datagrams: Int32
  /// The listening TCP socket.
  private let listener: Int32
  /// Wakes the thread that waits in `processEvents`.
  private let wakePipe: WakePipe
  /// Queued answers, oldest first.
  private let answers = Locked<[(PacketPeer, [UInt8])]>([])
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
  /// The TCP connections, by number.
  private var connections: [Int: StreamConnection] = [:]
  private var nextConnection = 0
  /// Turns for which no connection is accepted, because the process has no descriptors left: another attempt would
  /// fail at once.
  private var pause = 0

  /// Opens the port for UDP and TCP.
  public init(
    at address: ListenAddress, allowed: AllowedPeers = .networks([])
  ) throws(ListenError) {
    self.address = address
    self.allowed = allowed
    datagrams = ServerSockets.datagrams(at: address)
    guard datagrams >= 0 else { throw ListenError(address, -datagrams) }
    listener = ServerSockets.listener(at: address)
    guard listener >= 0 else {
      close(datagrams)
      throw ListenError(address, -listener)
    }
    guard let wakePipe = WakePipe() else {
      let number = errno
      close(datagrams)
      close(listener)
      throw .refused(address, errno: number)
    }
    self.wakePipe = wakePipe
  }

  /// Opens the first port of a range that is free on the loopback for both UDP and TCP. Throws the fault of the last
  /// port where none is.
  public static func first(
    freeIn ports: ClosedRange<UInt16>, allowed: AllowedPeers = .networks([])
  ) throws(ListenError) -> PacketServer {
    for port in ports.dropLast() {
      do throws(ListenError) {
        return try PacketServer(at: ListenAddress(port: port), allowed: allowed)
      } catch {}
    }
    return try PacketServer(at: ListenAddress(port: ports.upperBound), allowed: allowed)
  }

  deinit {
    for connection in connections.values { close(connection.descriptor) }
    for descriptor in [datagrams, listener] { close(descriptor) }
    buffer.deallocate()
  }

  /// Queues a packet for a peer. It is dropped where the peer's connection is closed or its buffer is full. [any]
  public func send(_ packet: [UInt8], to peer: PacketPeer) {
    let isNew = answers.withLock { answers in
      guard answers.count < Self.answerLimit else { return false }
      answers.append((peer, packet))
      return answers.count == 1
    }
    if isNew { wake() }
  }

  /// Whether answers may still reach a peer: it uses UDP, or its connection is open. Call it on the thread of
  /// `processEvents`.
  public func reaches(_ peer: PacketPeer) -> Bool { peer.connection.map { connections[$0] != nil } ?? true }

  /// Ends the present wait of `processEvents`, or the next one. [any]
  public func wake() { wakePipe.wake() }

  /// Sends queued answers, waits at most `milliseconds` for events, and passes on packets or their faults.
  public func processEvents(
    milliseconds: Int32, stranger: (RefusedPeer) -> Void = { _ in },
    _ take: (PacketPeer, Result<[UInt8], OSCError>) -> Void
  ) {
    sendAnswers()
    for (number, connection) in connections where connection.isDone { drop(number) }
    let numbers = connections.keys.sorted()
    var wanted = [datagrams, listener, wakePipe.descriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    for number in numbers {
      guard let connection = connections[number] else { continue }
      wanted.append(pollfd(fd: connection.descriptor, events: connection.events, revents: 0))
    }
    if pause > 0 {
      pause -= 1
      wanted[1].events = 0
    }
    guard poll(&wanted, nfds_t(wanted.count), milliseconds) > 0 else { return }
    if wanted[2].revents != 0 { wakePipe.drain() }
    if wanted[0].revents != 0 { takeDatagrams(stranger, take) }
    for (number, request) in zip(numbers, wanted.dropFirst(3)) where request.revents != 0 {
      serve(number, Int32(request.revents), stranger, take)
    }
    if wanted[1].revents != 0 { acceptAll(stranger) }
  }

  private func takeDatagrams(
    _ stranger: (RefusedPeer) -> Void, _ take: (PacketPeer, Result<[UInt8], OSCError>) -> Void
  ) {
    for _ in 0..<Self.datagramsPerTurn {
      let (count, from, localAddress) = DestinationAddress.receive(datagrams, buffer)
      // The error may belong to an answer sent before, to a port without a receiver. The next call finds waiting
      // datagrams.
      if count < 0, errno == EAGAIN || errno == EWOULDBLOCK { return }
      guard count >= 0, let from else { continue }
      guard allowed.contains(from.address) else {
        stranger(.notAllowed(from.address))
        continue
      }
      take(
        PacketPeer(way: .datagrams, socketAddress: from, localAddress: localAddress),
        .success([UInt8](UnsafeRawBufferPointer(rebasing: buffer[..<count]))))
    }
  }

  /// Reads from a connection or writes to it, as the `events` of `poll` ask.
  private func serve(
    _ number: Int, _ events: Int32, _ stranger: (RefusedPeer) -> Void,
    _ take: (PacketPeer, Result<[UInt8], OSCError>) -> Void
  ) {
    guard var connection = connections[number] else { return }
    let peer = connection.peer
    var reception = StreamConnection.Reception.open
    if events & (POLLIN | POLLHUP | POLLERR) != 0 {
      reception = connection.receive(buffer, at: MonotonicClock.now) { take(peer, $0) }
    }
    connections[number] = connection
    switch reception {
    case .open: if events & POLLOUT != 0 { flush(number) }
    case .over: drop(number)
    case .foreign:
      connections[number] = nil
      ServerSockets.reset(connection.descriptor)
      stranger(.notOSC(peer.address))
    }
  }

  /// Accepts all waiting connections.
  private func acceptAll(_ stranger: (RefusedPeer) -> Void) {
    while true {
      let (descriptor, from) = SocketAddress.filled { accept(listener, $0, $1) }
      guard descriptor >= 0 else {
        if errno != EAGAIN && errno != EINTR && errno != ECONNABORTED { pause = 4 }
        return
      }
      guard let from, allowed.contains(from.address) else {
        ServerSockets.reset(descriptor)
        if let from { stranger(.notAllowed(from.address)) }
        continue
      }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
      if connections.count >= Self.connectionLimit,
        let silent = connections.min(by: { ($0.value.lastHeard, $0.key) < ($1.value.lastHeard, $1.key) })?.key
      {
        drop(silent)
      }
      let peer = PacketPeer(way: .stream(nextConnection), socketAddress: from)
      connections[nextConnection] = StreamConnection(descriptor, peer, at: MonotonicClock.now)
      nextConnection += 1
    }
  }

  private func sendAnswers() {
    let waiting = answers.withLock { answers in
      defer { answers = [] }
      return answers
    }
    var touched: Set<Int> = []
    for (peer, packet) in waiting {
      switch peer.way {
      case .datagrams: sendDatagram(packet, peer)
      case .stream(let number):
        guard connections[number] != nil else { continue }
        if connections[number]?.send(packet) == true { touched.insert(number) } else { drop(number) }
      }
    }
    for number in touched { flush(number) }
  }

  private func sendDatagram(_ packet: [UInt8], _ peer: PacketPeer) {
    if let local = peer.localAddress, local.send(packet, to: peer.socketAddress, on: datagrams) { return }
    let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    peer.socketAddress.withPointer { name, length in
      _ = packet.withUnsafeBytes { sendto(datagrams, $0.baseAddress, $0.count, flags, name, length) }
    }
  }

  private func flush(_ number: Int) {
    guard connections[number] != nil else { return }
    if connections[number]?.flush() == false { drop(number) }
  }

  private func drop(_ number: Int) {
    guard let connection = connections.removeValue(forKey: number) else { return }
    close(connection.descriptor)
  }
}
