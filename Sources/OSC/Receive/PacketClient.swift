import CLiblo
import Glibc
import System

/// Sends packets to one program by UDP or TCP, and receives its answers. Every wait has a timeout. [control]
public final class PacketClient {
  /// The transport.
  public enum TransportProtocol: Sendable {
    case datagrams
    /// TCP, with a size before each packet.
    case stream
  }

  /// Why the program cannot be reached.
  public enum ClientError: Error, Equatable, CustomStringConvertible {
    /// The host cannot be resolved, with the reason.
    case unknownHost(Endpoint, String)
    /// The system refuses, with its `errno`.
    case refused(Endpoint, errno: Int32)
    /// The program closed the connection.
    case closed(Endpoint)

    /// The fault as a sentence.
    public var description: String {
      switch self {
      case .unknownHost(let endpoint, let reason): "cannot find \(endpoint.host): \(reason)"
      case .refused(let endpoint, ECONNREFUSED): "nobody listens on \(endpoint)"
      case .refused(let endpoint, let number):
        "\(endpoint) cannot be reached: \(String(cString: strerror(number)))"
      case .closed(let endpoint): "\(endpoint) has closed the connection: it may not allow this machine"
      }
    }
  }

  private let endpoint: Endpoint
  private let transport: TransportProtocol
  private var descriptor: Int32 = -1
  private var stream = PacketStream()
  /// Packets that have arrived and were not returned yet.
  private var received: [[UInt8]] = []

  /// Opens a socket to an endpoint. Each address of its host has `seconds` to connect, at most 60.
  public init(_ endpoint: Endpoint, _ transport: TransportProtocol, within seconds: Double)
    throws(ClientError)
  {
    self.endpoint = endpoint
    self.transport = transport
    let addresses: [SocketAddress]
    switch Lookup.ask(endpoint) {
    case .addresses(let found): addresses = found
    case .failure(let reason): throw .unknownHost(endpoint, reason)
    }
    var failure = ClientError.unknownHost(endpoint, "it has no address")
    for address in addresses {
      do throws(ClientError) {
        try open(address, within: seconds)
        return
      } catch { failure = error }
    }
    throw failure
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  private func open(_ address: SocketAddress, within seconds: Double) throws(ClientError) {
    let type = transport == .stream ? SOCK_STREAM : SOCK_DGRAM
    let flags = SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    let new = socket(address.family, Int32(type.rawValue | flags), 0)
    guard new >= 0 else { throw .refused(endpoint, errno: errno) }
    var number = address.withPointer({ connect(new, $0, $1) }) == 0 ? 0 : errno
    if number == EINPROGRESS {
      var request = pollfd(fd: new, events: Int16(POLLOUT), revents: 0)
      number = ETIMEDOUT
      if poll(&request, 1, Int32(max(0, min(60, seconds)) * 1000)) > 0 {
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(new, SOL_SOCKET, SO_ERROR, &number, &size)
      }
    }
    guard number == 0 else {
      close(new)
      throw .refused(endpoint, errno: number)
    }
    if descriptor >= 0 { close(descriptor) }
    descriptor = new
  }

  /// Sends a packet; waits at most 2 s for a full buffer.
  public func send(_ packet: [UInt8]) throws(ClientError) {
    let bytes = transport == .stream ? stream.framed(packet) : packet
    var at = 0
    while at < bytes.count || bytes.isEmpty {
      let sent = bytes.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress.map { $0 + at }, $0.count - at, Int32(MSG_NOSIGNAL))
      }
      if sent < 0, errno == EAGAIN {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&request, 1, 2000) > 0 else { throw .refused(endpoint, errno: ETIMEDOUT) }
        continue
      }
      guard sent >= 0 else { throw .refused(endpoint, errno: errno) }
      at += sent
      if bytes.isEmpty { return }
    }
  }

  /// The next packet that arrives within `seconds`, at most 60; nil where none does.
  public func receive(within seconds: Double) throws(ClientError) -> [UInt8]? {
    let deadline = Deadline.after(seconds: min(60, seconds))
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while received.isEmpty {
      guard Descriptor.waits(for: POLLIN, on: descriptor, milliseconds: deadline.milliseconds) else {
        return nil
      }
      let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if count < 0, errno == EAGAIN || errno == EINTR { continue }
      guard count >= 0 else {
        throw errno == ECONNRESET ? .closed(endpoint) : .refused(endpoint, errno: errno)
      }
      guard transport == .stream else { return Array(buffer[..<count]) }
      guard count > 0 else { throw .closed(endpoint) }
      let new = Array(buffer[..<count])
      var found: [[UInt8]] = []
      new.withUnsafeBytes { bytes in
        try? stream.take(bytes) { if case .success(let packet) = $0 { found.append(packet) } }
      }
      received += found
      // A peer that sends bytes which never complete a packet must not extend the wait.
      if received.isEmpty, deadline.isOver { return nil }
    }
    return received.removeFirst()
  }
}
