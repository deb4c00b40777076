import Glibc

/// Sockets that hear this machine alone (127.0.0.1) and never block.
enum LoopbackSockets {
  /// Opens a UDP socket.
  /// - Returns: the descriptor, or `errno` below zero.
  static func datagrams(port: UInt16) -> Int32 {
    let descriptor = open(SOCK_DGRAM, Int32(IPPROTO_UDP))
    guard descriptor >= 0 else { return descriptor }
    var room: Int32 = 1 << 20
    // What comes while a message is obeyed must wait here; the system may allow less.
    _ = setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<Int32>.size))
    return bound(descriptor, port)
  }

  /// Opens a TCP socket that connections come to.
  /// - Returns: the descriptor, or `errno` below zero.
  static func listener(port: UInt16) -> Int32 {
    let descriptor = open(SOCK_STREAM, Int32(IPPROTO_TCP))
    guard descriptor >= 0 else { return descriptor }
    var yes: Int32 = 1
    // Else the port could not be had for a minute after a show with connections has ended.
    _ = setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    let result = bound(descriptor, port)
    guard result >= 0 else { return result }
    guard listen(descriptor, 64) == 0 else {
      let error = errno
      close(descriptor)
      return -error
    }
    return descriptor
  }

  /// An address on the loopback.
  static func address(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  private static func open(_ type: __socket_type, _ way: Int32) -> Int32 {
    let flags = SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    let descriptor = socket(AF_INET, Int32(type.rawValue | flags), way)
    return descriptor < 0 ? -errno : descriptor
  }

  private static func bound(_ descriptor: Int32, _ port: UInt16) -> Int32 {
    var address = address(port: port)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      let error = errno
      close(descriptor)
      return -error
    }
    return descriptor
  }
}
