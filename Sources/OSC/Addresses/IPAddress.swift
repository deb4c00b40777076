import CLiblo
import Glibc

/// An IPv4 or IPv6 address, without a port. An IPv4-mapped address (`::ffff:10.0.0.1`) equals the IPv4 address.
public struct IPAddress: Sendable, Hashable, CustomStringConvertible {
  /// The 128 bits of the IPv6 form; an IPv4 address is stored IPv4-mapped.
  let high: UInt64
  let low: UInt64

  init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  /// An IPv4 address in network byte order.
  init(_ address: in_addr) {
    self.init(high: 0, low: 0xFFFF_0000_0000 | UInt64(UInt32(bigEndian: address.s_addr)))
  }

  /// An IPv6 address in network byte order.
  init(_ address: in6_addr) {
    let (high, low) = withUnsafeBytes(of: address) {
      ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
    self.init(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
  }

  /// Parses an address; nil for names and all other text.
  public init?(_ text: String) {
    var four = in_addr()
    if inet_pton(AF_INET, text, &four) == 1 {
      self.init(four)
      return
    }
    var six = in6_addr()
    guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
    self.init(six)
  }

  /// 127.0.0.1.
  public static let loopback = IPAddress(high: 0, low: 0xFFFF_7F00_0001)

  /// Whether it is an IPv4 address.
  public var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

  /// Whether it is a loopback address: 127.0.0.0/8, ::1.
  public var isLoopback: Bool { isIPv4 ? low >> 24 & 0xFF == 0x7F : high == 0 && low == 1 }

  /// Whether it is a multicast address: 224.0.0.0/4, ff00::/8.
  public var isMulticast: Bool { isIPv4 ? low >> 28 & 0xF == 0xE : high >> 56 == 0xFF }

  /// Whether it stands for all addresses of this machine: 0.0.0.0, ::.
  public var isAny: Bool { isIPv4 ? low & 0xFFFF_FFFF == 0 : high == 0 && low == 0 }

  /// Whether it is a link-local IPv6 address: fe80::/10.
  public var isLinkLocal: Bool { high >> 54 == 0xFE80 >> 6 }

  /// The IPv4 form, in network byte order.
  var four: in_addr { in_addr(s_addr: UInt32(truncatingIfNeeded: low).bigEndian) }

  /// The IPv6 form, in network byte order.
  var mapped: in6_addr {
    var address = in6_addr()
    withUnsafeMutableBytes(of: &address) {
      $0.storeBytes(of: high.bigEndian, as: UInt64.self)
      $0.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
    }
    return address
  }

  /// The usual notation: `10.0.0.1`, `fe80::1`.
  public var description: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    if isIPv4 {
      var four = four
      inet_ntop(AF_INET, &four, &text, socklen_t(text.count))
    } else {
      var six = mapped
      inet_ntop(AF_INET6, &six, &text, socklen_t(text.count))
    }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
