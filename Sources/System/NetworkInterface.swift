import Glibc

/// An address of this machine on one of its networks. [any]
package struct NetworkInterface: Equatable, Sendable {
  /// The name of the interface, such as `eth0`.
  package var name: String
  /// The IP address as text, such as `192.168.1.20` or `fd00::20`.
  package var address: String
  /// Whether the interface is up and has a carrier.
  package var isRunning: Bool
  /// Whether it is hardware; interfaces of containers, for example, are virtual.
  package var isDevice: Bool
  /// The broadcast address of an IPv4 network, if there is one.
  package var broadcast: String?

  /// Makes an address.
  package init(name: String, address: String, isRunning: Bool, isDevice: Bool, broadcast: String? = nil) {
    (self.name, self.address, self.broadcast) = (name, address, broadcast)
    (self.isRunning, self.isDevice) = (isRunning, isDevice)
  }

  /// All IPv4 and IPv6 addresses, in the order of the system; empty if the system call fails.
  package static var all: [NetworkInterface] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    var all: [NetworkInterface] = []
    var next = list
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let address = entry.ifa_addr, let text = text(of: address) else { continue }
      let name = String(cString: entry.ifa_name)
      let flags = Int(entry.ifa_flags)
      all.append(
        NetworkInterface(
          name: name, address: text,
          isRunning: flags & Int(IFF_UP) != 0 && flags & Int(IFF_RUNNING) != 0,
          isDevice: access("/sys/class/net/\(name)/device", F_OK) == 0,
          broadcast: entry.ifa_netmask.flatMap { broadcast(of: address, mask: $0) }))
    }
    return all
  }

  /// The host name (gethostname(2)); nil if the system call fails.
  package static var hostName: String? {
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    guard gethostname(&text, text.count - 1) == 0 else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The index of an interface; nil if there is none of that name.
  package static func index(of name: String) -> Int32? {
    let index = if_nametoindex(name)
    return index > 0 ? Int32(exactly: index) : nil
  }

  /// The broadcast address of an IPv4 network, which is its last address. Nil for IPv6, and for networks of one or two
  /// addresses.
  private static func broadcast(
    of address: UnsafeMutablePointer<sockaddr>, mask: UnsafeMutablePointer<sockaddr>
  ) -> String? {
    guard Int32(address.pointee.sa_family) == AF_INET else { return nil }
    func number(_ pointer: UnsafeMutablePointer<sockaddr>) -> UInt32 {
      UInt32(bigEndian: UnsafeRawPointer(pointer).loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr)
    }
    let hosts = ~number(mask)
    guard hosts > 1 else { return nil }
    let all = number(address) | hosts
    return (0..<4).map { String(all >> (24 - 8 * $0) & 0xFF) }.joined(separator: ".")
  }

  private static func text(of address: UnsafeMutablePointer<sockaddr>) -> String? {
    let family = Int32(address.pointee.sa_family)
    guard family == AF_INET || family == AF_INET6 else { return nil }
    let size = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    guard
      getnameinfo(address, socklen_t(size), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
    else { return nil }
    // Cuts the suffix of link-local addresses, % and the interface.
    return String(
      decoding: text.prefix { $0 != 0 && $0 != 0x25 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
