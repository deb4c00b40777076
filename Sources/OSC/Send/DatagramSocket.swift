import Glibc

/// A connected UDP socket that never blocks: connected, so that the system reports when nobody listens.
enum DatagramSocket {
  /// Opens one.
  /// - Returns: the descriptor, or `errno` below zero.
  static func open(to address: SocketAddress) -> Int32 {
    let type = Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(address.family, type, Int32(IPPROTO_UDP))
    guard descriptor >= 0 else { return -errno }
    var yes: Int32 = 1
    // Lighting networks are often addressed as a whole; the system refuses broadcasts otherwise.
    _ = setsockopt(descriptor, SOL_SOCKET, SO_BROADCAST, &yes, socklen_t(MemoryLayout<Int32>.size))
    guard connect(descriptor, to: address) == 0 else {
      let error = errno
      close(descriptor)
      return -error
    }
    return descriptor
  }

  /// Connects again, as after the machine got another address: the old one is forgotten first.
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

  private static func connect(_ descriptor: Int32, to address: SocketAddress) -> Int32 {
    address.withPointer { Glibc.connect(descriptor, $0, $1) }
  }
}
