import CLiblo
import Glibc
import System

/// An IPv4 or IPv6 address with its port, or the path of a Unix socket, in the form of the system's calls.
struct SocketAddress: Sendable, Hashable {
  private let storage: sockaddr_storage
  private let length: socklen_t

  init?(_ pointer: UnsafePointer<sockaddr>, length: socklen_t) {
    guard length <= socklen_t(MemoryLayout<sockaddr_storage>.size) else { return nil }
    var storage = sockaddr_storage()
    withUnsafeMutableBytes(of: &storage) { $0.baseAddress!.copyMemory(from: pointer, byteCount: Int(length)) }
    self.storage = storage
    self.length = length
  }

  /// An address with a port. `scope` is the interface index of a link-local address.
  init(_ address: IPAddress, port: UInt16, scope: UInt32 = 0) {
    var storage = sockaddr_storage()
    if address.isIPv4 {
      let four = sockaddr_in(
        sin_family: sa_family_t(AF_INET), sin_port: port.bigEndian,
        sin_addr: address.four,
        sin_zero: (0, 0, 0, 0, 0, 0, 0, 0))
      withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: four, as: sockaddr_in.self) }
      length = socklen_t(MemoryLayout<sockaddr_in>.size)
    } else {
      let six = sockaddr_in6(
        sin6_family: sa_family_t(AF_INET6), sin6_port: port.bigEndian, sin6_flowinfo: 0,
        sin6_addr: address.mapped, sin6_scope_id: scope)
      withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: six, as: sockaddr_in6.self) }
      length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    }
    self.storage = storage
  }

  /// A Unix socket's path, of at most `Endpoint.longestPath` bytes.
  init(path: String) {
    var unix = sockaddr_un()
    unix.sun_family = sa_family_t(AF_UNIX)
    let room = MemoryLayout.size(ofValue: unix.sun_path)
    withUnsafeMutableBytes(of: &unix.sun_path) { $0.copyBytes(from: path.utf8.prefix(room - 1)) }
    var storage = sockaddr_storage()
    withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: unix, as: sockaddr_un.self) }
    self.storage = storage
    length = socklen_t(MemoryLayout<sockaddr_un>.size)
  }

  /// Calls a function such as `accept`, which fills in an address. Returns its result and the address, which is nil
  /// where the call fails; then `errno` is set.
  static func filled<R: SignedInteger>(
    _ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> R
  ) -> (result: R, address: SocketAddress?) {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        let result = call(name, &length)
        return (result, result >= 0 ? SocketAddress(name, length: length) : nil)
      }
    }
  }

  var family: Int32 { Int32(storage.ss_family) }

  /// The address without the port. Not for Unix sockets.
  var address: IPAddress {
    withUnsafeBytes(of: storage) { bytes in
      family == AF_INET
        ? IPAddress(bytes.load(as: sockaddr_in.self).sin_addr)
        : IPAddress(bytes.load(as: sockaddr_in6.self).sin6_addr)
    }
  }

  /// The port, which is at the same offset in both families.
  var port: UInt16 {
    withUnsafeBytes(of: storage) { UInt16(bigEndian: $0.load(as: sockaddr_in.self).sin_port) }
  }

  func withPointer<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
    withUnsafePointer(to: storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }

  static func == (a: SocketAddress, b: SocketAddress) -> Bool {
    withUnsafeBytes(of: a.storage) { first in
      withUnsafeBytes(of: b.storage) { second in
        first.prefix(Int(a.length)).elementsEqual(second.prefix(Int(b.length)))
      }
    }
  }

  func hash(into hasher: inout Hasher) {
    withUnsafeBytes(of: storage) {
      hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: $0.prefix(Int(length))))
    }
  }
}

/// Connected UDP sockets that never block. They are connected so that the system reports a port without a receiver.
enum DatagramSocket {
  /// Opens a socket.
  /// - Returns: the descriptor, or −`errno`.
  /// - Parameter interface: the interface by which multicasts leave, as a name or an address; nil: by the system's
  ///   routes.
  /// - Parameter hops: the maximum number of hops of a multicast (TTL); nil: `multicastHops`.
  static func open(to address: SocketAddress, interface: String? = nil, hops: Int? = nil) -> Int32 {
    let type = Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(address.family, type, address.family == AF_UNIX ? 0 : Int32(IPPROTO_UDP))
    guard descriptor >= 0 else { return -errno }
    var yes: Int32 = 1
    // Lighting networks often use broadcasts, which the system refuses by default.
    _ = setsockopt(descriptor, SOL_SOCKET, SO_BROADCAST, &yes, socklen_t(MemoryLayout<Int32>.size))
    guard setMulticastOptions(interface, hops, on: descriptor, to: address),
      connect(descriptor, to: address) == 0
    else {
      let error = errno
      close(descriptor)
      return -error
    }
    return descriptor
  }

  /// The default hops of a multicast: some lighting networks have routers.
  private static let multicastHops: Int32 = 64

  /// Sets the interface and the hops of multicasts. Returns false where there is no such interface; does nothing for
  /// other addresses.
  private static func setMulticastOptions(
    _ interface: String?, _ hops: Int?, on descriptor: Int32, to address: SocketAddress
  ) -> Bool {
    guard address.family != AF_UNIX, address.address.isMulticast else { return true }
    let hops = hops.map(Int32.init) ?? multicastHops
    func set<Value>(_ level: Int, _ option: Int32, _ value: Value) -> Bool {
      withUnsafeBytes(of: value) {
        setsockopt(descriptor, Int32(level), option, $0.baseAddress, socklen_t($0.count)) == 0
      }
    }
    let isIPv4 = address.family == AF_INET
    _ =
      isIPv4
      ? set(Int(IPPROTO_IP), IP_MULTICAST_TTL, hops)
      : set(Int(IPPROTO_IPV6), IPV6_MULTICAST_HOPS, hops)
    guard let interface else { return true }
    let name = NetworkInterface.all.first { $0.address == interface }?.name ?? interface
    guard let index = NetworkInterface.index(of: name) else {
      errno = ENODEV
      return false
    }
    return isIPv4
      ? set(
        Int(IPPROTO_IP), IP_MULTICAST_IF,
        ip_mreqn(imr_multiaddr: in_addr(), imr_address: in_addr(), imr_ifindex: index))
      : set(Int(IPPROTO_IPV6), IPV6_MULTICAST_IF, index)
  }

  /// Connects again, for instance after the machine has got another address. It dissolves the old association first.
  ///
  /// Never blocks.
  static func reconnect(_ descriptor: Int32, to address: SocketAddress) -> Bool {
    var nowhere = sockaddr()
    nowhere.sa_family = sa_family_t(AF_UNSPEC)
    _ = Glibc.connect(descriptor, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
    return connect(descriptor, to: address) == 0
  }

  /// Sends one datagram without blocking.
  /// - Returns: 0, or the `errno`.
  static func send(_ bytes: UnsafeRawBufferPointer, on descriptor: Int32) -> Int32 {
    let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    return Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags) < 0 ? errno : 0
  }

  /// The pending error of earlier datagrams, such as a port without a receiver: the `errno`, once; otherwise 0. Never
  /// blocks.
  static func takeError(of descriptor: Int32) -> Int32 {
    var (error, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
    return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : 0
  }

  private static func connect(_ descriptor: Int32, to address: SocketAddress) -> Int32 {
    address.withPointer { Glibc.connect(descriptor, $0, $1) }
  }
}
