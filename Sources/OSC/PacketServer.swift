import Glibc
import Synchronization

/// Takes packets by UDP and TCP at one port of 127.0.0.1, and answers; bounded in all it holds, and never waiting for
/// anybody.
///
/// One thread calls `turn`; any thread may `send` and `wake`.
public final class PacketServer: @unchecked Sendable {
  /// The most TCP connections at a time; more are closed at once.
  public static let connectionLimit = 32
  /// The most answers that wait to go; more are dropped.
  public static let answerLimit = 4096
  /// How many datagrams are taken before others have their turn.
  private static let datagramsPerTurn = 64

  /// The port it has.
  public let port: UInt16
  private let datagrams: Int32
  private let listener: Int32
  /// Wakes the thread that waits.
  private let bell: WakePipe
  private let answers = Mutex<[(PacketPeer, [UInt8])]>([])
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
  private var connections: [Int: StreamConnection] = [:]
  private var nextConnection = 0
  /// Turns in which nobody is accepted: the process has no descriptors left, and asking at once would be in vain.
  private var pause = 0

  /// Opens a port, 1…65535.
  public init(port: UInt16) throws(ListenFault) {
    self.port = port
    datagrams = LoopbackSockets.datagrams(port: port)
    guard datagrams >= 0 else { throw ListenFault(port, -datagrams) }
    listener = LoopbackSockets.listener(port: port)
    guard listener >= 0 else {
      close(datagrams)
      throw ListenFault(port, -listener)
    }
    guard let bell = WakePipe() else {
      let number = errno
      close(datagrams)
      close(listener)
      throw .refused(port, errno: number)
    }
    self.bell = bell
  }

  /// Opens the first port of several that is free, for UDP and TCP alike; throws why the last is not.
  public static func first(freeIn ports: ClosedRange<UInt16>) throws(ListenFault) -> PacketServer {
    for port in ports.dropLast() {
      do throws(ListenFault) { return try PacketServer(port: port) } catch {}
    }
    return try PacketServer(port: ports.upperBound)
  }

  deinit {
    for connection in connections.values { close(connection.descriptor) }
    for descriptor in [datagrams, listener] { close(descriptor) }
    buffer.deallocate()
  }

  /// Queues a packet for a peer. One that has gone, or takes nothing, does not get it. Any thread.
  public func send(_ packet: [UInt8], to peer: PacketPeer) {
    let isNew = answers.withLock { answers in
      guard answers.count < Self.answerLimit else { return false }
      answers.append((peer, packet))
      return answers.count == 1
    }
    if isNew { wake() }
  }

  /// Ends a wait, or the next. Any thread.
  public func wake() { bell.ring() }

  /// Sends what waits, waits for something to come, at most so long, and gives it: packets, or what is wrong with them.
  public func turn(milliseconds: Int32, _ take: (PacketPeer, Result<[UInt8], OSCFault>) -> Void) {
    sendAnswers()
    for (number, connection) in connections where connection.isDone { drop(number) }
    let numbers = connections.keys.sorted()
    var wanted = [datagrams, listener, bell.descriptor].map {
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
    if wanted[2].revents != 0 { bell.drain() }
    if wanted[0].revents != 0 { takeDatagrams(take) }
    for (number, request) in zip(numbers, wanted.dropFirst(3)) where request.revents != 0 {
      serve(number, Int32(request.revents), take)
    }
    if wanted[1].revents != 0 { acceptAll() }
  }

  private func takeDatagrams(_ take: (PacketPeer, Result<[UInt8], OSCFault>) -> Void) {
    for _ in 0..<Self.datagramsPerTurn {
      var from = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let count = withUnsafeMutablePointer(to: &from) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          recvfrom(datagrams, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT), $0, &length)
        }
      }
      // An error may be one of an answer sent before: nobody listened. The next call finds what is there.
      if count < 0, errno == EAGAIN || errno == EWOULDBLOCK { return }
      guard count >= 0 else { continue }
      let way = PacketPeer.Way.datagrams(address: from.sin_addr.s_addr, port: from.sin_port)
      take(PacketPeer(way: way), .success([UInt8](UnsafeRawBufferPointer(rebasing: buffer[..<count]))))
    }
  }

  private func serve(
    _ number: Int, _ events: Int32, _ take: (PacketPeer, Result<[UInt8], OSCFault>) -> Void
  ) {
    guard var connection = connections[number] else { return }
    var isOpen = true
    if events & (POLLIN | POLLHUP | POLLERR) != 0 {
      isOpen = connection.receive(buffer) { take(PacketPeer(way: .stream(number)), $0) }
    }
    connections[number] = connection
    if isOpen, events & POLLOUT != 0 { flush(number) }
    if !isOpen { drop(number) }
  }

  private func acceptAll() {
    while true {
      let descriptor = accept(listener, nil, nil)
      guard descriptor >= 0 else {
        if errno != EAGAIN && errno != EINTR && errno != ECONNABORTED { pause = 4 }
        return
      }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
      guard connections.count < Self.connectionLimit else {
        close(descriptor)
        continue
      }
      connections[nextConnection] = StreamConnection(descriptor)
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
      case .datagrams(let address, let port): sendDatagram(packet, address, port)
      case .stream(let number):
        guard connections[number] != nil else { continue }
        if connections[number]?.send(packet) == true { touched.insert(number) } else { drop(number) }
      }
    }
    for number in touched { flush(number) }
  }

  private func sendDatagram(_ packet: [UInt8], _ address: UInt32, _ port: UInt16) {
    var to = LoopbackSockets.address(port: 0)
    to.sin_addr.s_addr = address
    to.sin_port = port
    let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    withUnsafePointer(to: &to) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        _ = packet.withUnsafeBytes {
          sendto(datagrams, $0.baseAddress, $0.count, flags, name, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
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
