import Glibc

/// A plain UDP socket on the loopback that keeps nothing and judges nothing.
final class LoopbackReceiver {
  let port: UInt16
  private let descriptor: Int32

  /// - Parameter port: 0 for any that is free.
  init?(port: UInt16 = 0, sixth: Bool = false) {
    descriptor = socket(sixth ? AF_INET6 : AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    var bound: Int32 = -1
    var name = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let descriptor = descriptor
    withUnsafeMutablePointer(to: &name) { storage in
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
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        let size = sixth ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
        bound = bind(descriptor, $0, socklen_t(size))
        _ = getsockname(descriptor, $0, &length)
      }
    }
    // The port lies at the same place in both kinds of address.
    self.port = withUnsafeBytes(of: &name) { UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self)) }
    if bound != 0 { return nil }
  }

  deinit { close(descriptor) }

  /// The next datagram, or nil when none comes in time.
  func receive(within milliseconds: Int32 = 5000) -> [UInt8]? {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&wanted, 1, milliseconds) == 1 else { return nil }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let size = recv(descriptor, &buffer, buffer.count, 0)
    return size < 0 ? nil : Array(buffer[..<size])
  }
}

/// Asks again and again until the answer is yes or the time is over.
func eventually(within seconds: Double = 20, _ isTrue: () -> Bool) -> Bool {
  let clock = ContinuousClock()
  let end = clock.now + .seconds(seconds)
  while !isTrue() {
    if clock.now > end { return false }
    sched_yield()
    _ = poll(nil, 0, 1)
  }
  return true
}
