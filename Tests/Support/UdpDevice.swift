import Glibc
import Testing

/// A UDP socket on 127.0.0.1 that keeps whole packets.
public final class UdpDevice {
  /// The port.
  public let port: UInt16
  private let descriptor: Int32

  /// Opens a free port.
  public init() throws {
    descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    growReceiveBuffer(of: descriptor)
    let isBound = withUnsafeMutableBytes(of: &address) { raw in
      let place = raw.baseAddress!.assumingMemoryBound(to: sockaddr.self)
      return bind(descriptor, place, length) == 0 && getsockname(descriptor, place, &length) == 0
    }
    try #require(isBound)
    port = UInt16(bigEndian: address.sin_port)
  }

  deinit { close(descriptor) }

  /// Takes every packet that has arrived.
  public func take() -> [[UInt8]] {
    var packets: [[UInt8]] = []
    var room = [UInt8](repeating: 0, count: 2000)
    while true {
      let count = recv(descriptor, &room, room.count, Int32(MSG_DONTWAIT))
      guard count > 0 else { return packets }
      packets.append(Array(room[..<count]))
    }
  }
}

/// Gives a socket room for 4 MB that wait until the test reads them. The superuser gets more than the system's limit,
/// which a busy machine fills within seconds.
public func growReceiveBuffer(of descriptor: Int32) {
  var size: Int32 = 4 << 20
  if setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &size, 4) != 0 {
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4)
  }
}
