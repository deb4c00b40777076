import CLiblo
import Glibc

/// Listening sockets of IPv4 and IPv6, which never block. A socket for all IPv6 addresses accepts IPv4 as well.
enum ServerSockets {
  /// Opens a UDP socket.
  /// - Returns: the descriptor, or −`errno`.
  static func datagrams(at address: ListenAddress) -> Int32 {
    let descriptor = open(address, SOCK_DGRAM, Int32(IPPROTO_UDP))
    guard descriptor >= 0 else { return descriptor }
    // Buffers datagrams that arrive while a message is carried out. The system may allow less than 1 MiB.
    set(descriptor, SOL_SOCKET, SO_RCVBUF, 1 << 20)
    // With all addresses bound, each datagram has to report the local address that it was sent to.
    if address.host.isAny {
      let isIPv4 = address.host.isIPv4
      set(
        descriptor, Int32(isIPv4 ? IPPROTO_IP : IPPROTO_IPV6), isIPv4 ? IP_PKTINFO : IPV6_RECVPKTINFO, 1)
    }
    return bound(descriptor, address)
  }

  /// Opens a listening TCP socket.
  /// - Returns: the descriptor, or −`errno`.
  static func listener(at address: ListenAddress) -> Int32 {
    let descriptor = open(address, SOCK_STREAM, Int32(IPPROTO_TCP))
    guard descriptor >= 0 else { return descriptor }
    // Without this option the port could not be bound for a minute after a show with connections (TIME_WAIT).
    set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
    let result = bound(descriptor, address)
    guard result >= 0 else { return result }
    guard listen(descriptor, 64) == 0 else {
      let error = errno
      close(descriptor)
      return -error
    }
    return descriptor
  }

  /// Closes a connection with a reset, so that the peer receives no data.
  static func reset(_ descriptor: Int32) {
    var rest = linger(l_onoff: 1, l_linger: 0)
    _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &rest, socklen_t(MemoryLayout<linger>.size))
    close(descriptor)
  }

  private static func open(_ address: ListenAddress, _ type: __socket_type, _ protocolNumber: Int32) -> Int32
  {
    let flags = SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    let descriptor = socket(address.socketAddress.family, Int32(type.rawValue | flags), protocolNumber)
    guard descriptor >= 0 else { return -errno }
    if !address.host.isIPv4 {
      set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, address.host.isAny ? 0 : 1)
    }
    return descriptor
  }

  private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    _ = setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Binds a socket and returns it; closes it and returns −`errno` where that fails.
  private static func bound(_ descriptor: Int32, _ address: ListenAddress) -> Int32 {
    guard address.socketAddress.withPointer({ bind(descriptor, $0, $1) }) == 0 else {
      let error = errno
      close(descriptor)
      return -error
    }
    return descriptor
  }
}
