import Glibc
public import OSC
import Synchronization
import System

/// A UDP socket on the loopback that takes everything at once, on a thread of its own, and reads it strictly.
public final class OscReceiver: Sendable {
  /// A message that came.
  public struct Heard: Equatable, Sendable {
    /// Its address.
    public let address: String
    /// Its arguments.
    public let values: [Argument]
    /// The number of the datagram it came in, from 1.
    public let packet: Int

    /// The first value, if it is a float.
    public var float: Float? {
      if case .float(let value)? = values.first { return value }
      return nil
    }
  }

  /// There is no such socket here.
  public struct Failure: Error {}

  /// Where it listens.
  public let port: UInt16
  private let inbox = Inbox()
  private let thread: TestThread

  /// Listens at a port, or at any that is free; at `::1` where `sixth`.
  public init(port: UInt16 = 0, sixth: Bool = false) throws {
    let (descriptor, bound) = try Self.bound(port, sixth: sixth)
    self.port = bound
    var room: Int32 = 4 << 20
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, 4)
    thread = TestThread { [inbox] in inbox.listen(descriptor) }
  }

  /// Its port is free when it has gone.
  deinit {
    inbox.isOver.store(true, ordering: .relaxed)
    while !thread.isDone { usleep(200) }
  }

  /// A port on which nobody listens: one that was just given up.
  public static func closedPort() throws -> UInt16 {
    // Below those that the system gives to connections by itself, which may come at any time.
    for _ in 0..<1000 {
      let port = UInt16.random(in: 20_000..<32_000)
      guard let (descriptor, _) = try? bound(port, sixth: false) else { continue }
      close(descriptor)
      return port
    }
    throw Failure()
  }

  private static func bound(_ port: UInt16, sixth: Bool) throws -> (descriptor: Int32, port: UInt16) {
    let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(sixth ? AF_INET6 : AF_INET, kind, 0)
    var name = sockaddr_storage()
    var length = socklen_t(
      sixth ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &name) { storage in
      if sixth {
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
    // The port lies at the same place in both kinds of address.
    let number = withUnsafeBytes(of: &name) { $0.load(fromByteOffset: 2, as: UInt16.self) }
    return (descriptor, UInt16(bigEndian: number))
  }

  /// All messages, in the order they came.
  public var messages: [Heard] { inbox.heard.withLock { $0 } }

  /// All datagrams, in the order they came.
  public var datagrams: [[UInt8]] { inbox.packets.withLock { $0 } }

  /// When the system took each of them, in seconds: however late this thread was.
  public var times: [Double] { inbox.times.withLock { $0 } }

  /// The floats that came for an address, in order.
  public func floats(_ address: String) -> [Float] {
    messages.filter { $0.address == address }.compactMap(\.float)
  }

  /// The first datagram that was not given yet; nil when none comes in time.
  public func receive(within seconds: Double = 5) -> [UInt8]? {
    let number = inbox.given.withLock { $0 }
    guard poll(within: seconds, until: { datagrams.count > number }) else { return nil }
    inbox.given.withLock { $0 = number + 1 }
    return datagrams[number]
  }
}

/// What its thread has received.
private final class Inbox: Sendable {
  let heard = Locked<[OscReceiver.Heard]>([])
  let packets = Locked<[[UInt8]]>([])
  let times = Locked<[Double]>([])
  /// How many datagrams `receive` has given.
  let given = Locked(0)
  let isOver = Atomic(false)

  func listen(_ descriptor: Int32) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    // SIOCGSTAMPNS: when the packet came that was taken last; asked for once, the system keeps it.
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
    heard.withLock { heard in
      heard += messages.map { OscReceiver.Heard(address: $0.address, values: $0.arguments, packet: number) }
    }
  }
}
