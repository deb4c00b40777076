import Glibc
public import OSC
import Synchronization
import System

/// A UDP socket on the loopback that receives every datagram at once, on a thread of its own, and parses it strictly.
public final class OscReceiver: Sendable {
  /// A received message.
  public struct Received: Equatable, Sendable {
    /// Its address.
    public let address: String
    /// Its arguments.
    public let values: [Argument]
    /// The number of the datagram that held the message, from 1.
    public let packet: Int

    /// The first value, if it is a float.
    public var float: Float? {
      if case .float(let value)? = values.first { return value }
      return nil
    }
  }

  /// The socket could not be opened.
  public struct Failure: Error {}

  /// The port.
  public let port: UInt16
  private let inbox = Inbox()
  private let thread: TestThread

  /// Listens at a port, or at any free one; at `::1` if `isIPv6`.
  public init(port: UInt16 = 0, isIPv6: Bool = false) throws {
    let (descriptor, bound) = try Self.bound(port, isIPv6: isIPv6)
    self.port = bound
    growReceiveBuffer(of: descriptor)
    thread = TestThread { [inbox] in inbox.listen(descriptor) }
  }

  /// Frees the port.
  deinit {
    inbox.isOver.store(true, ordering: .relaxed)
    while !thread.isDone { usleep(200) }
  }

  /// A port on which no socket listens: it was closed a moment ago.
  public static func closedPort() throws -> UInt16 {
    // Takes a port below the ephemeral range, from which the system may give ports to connections at any time.
    for _ in 0..<1000 {
      let port = UInt16.random(in: 20_000..<32_000)
      guard let (descriptor, _) = try? bound(port, isIPv6: false) else { continue }
      close(descriptor)
      return port
    }
    throw Failure()
  }

  private static func bound(_ port: UInt16, isIPv6: Bool) throws -> (descriptor: Int32, port: UInt16) {
    let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, kind, 0)
    var name = sockaddr_storage()
    var length = socklen_t(
      isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &name) { storage in
      if isIPv6 {
        storage.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
          $0.pointee.sin6_family = sa_family_t(AF_INET6)
          $0.pointee.sin6_port = port.bigEndian
          $0.pointee.sin6_addr = in6addr_loopback
        }
      } else {
        storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
          $0.pointee.sin_family = sa_family_t(AF_INET)
          $0.pointee.sin_port = port.bigEndian
          $0.pointee.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        }
      }
      return storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isBound else {
      close(descriptor)
      throw Failure()
    }
    // The port has the same offset in sockaddr_in and sockaddr_in6.
    let number = withUnsafeBytes(of: &name) { $0.load(fromByteOffset: 2, as: UInt16.self) }
    return (descriptor, UInt16(bigEndian: number))
  }

  /// All messages, in the order in which they arrived.
  public var messages: [Received] { inbox.received.withLock { $0 } }

  /// All datagrams, in the order in which they arrived.
  public var datagrams: [[UInt8]] { inbox.packets.withLock { $0 } }

  /// The kernel's receive time of each datagram, in seconds; it does not depend on how late this thread ran.
  public var times: [Double] { inbox.times.withLock { $0 } }

  /// The float arguments received at an address, in order.
  public func floats(_ address: String) -> [Float] {
    messages.filter { $0.address == address }.compactMap(\.float)
  }

  /// The first datagram that was not returned before. Nil after the timeout.
  public func receive(within seconds: Double = 5) -> [UInt8]? {
    let number = inbox.given.withLock { $0 }
    guard poll(within: seconds, until: { datagrams.count > number }) else { return nil }
    inbox.given.withLock { $0 = number + 1 }
    return datagrams[number]
  }
}

/// The datagrams that the thread of a receiver has received.
private final class Inbox: Sendable {
  let received = Locked<[OscReceiver.Received]>([])
  let packets = Locked<[[UInt8]]>([])
  let times = Locked<[Double]>([])
  /// The number of datagrams that `receive` has returned.
  let given = Locked(0)
  let isOver = Atomic(false)

  func listen(_ descriptor: Int32) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    // SIOCGSTAMPNS returns the receive time of the last packet. The kernel keeps this time only after the first such
    // call.
    let stamp: UInt = 0x8907
    var time = timespec()
    _ = ioctl(descriptor, stamp, &time)
    while !isOver.load(ordering: .relaxed) {
      var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard Glibc.poll(&wanted, 1, 10) == 1 else { continue }
      let size = recv(descriptor, &buffer, buffer.count, 0)
      if size > 0 {
        _ = ioctl(descriptor, stamp, &time)
        take(Array(buffer[..<size]), at: Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9)
      }
    }
    close(descriptor)
  }

  private func take(_ bytes: [UInt8], at time: Double) {
    times.withLock { $0.append(time) }
    let number = packets.withLock { packets in
      packets.append(bytes)
      return packets.count
    }
    let messages = (try? PacketReader().read(bytes)).map(\.messages) ?? [Message("/not/osc", arguments: [])]
    received.withLock { received in
      received += messages.map {
        OscReceiver.Received(address: $0.address, values: $0.arguments, packet: number)
      }
    }
  }
}
