/// A network in CIDR notation: `192.168.1.0/24`, `fd00::/8`, or a single address.
public struct Network: Sendable, Hashable, CustomStringConvertible {
  private let base: IPAddress
  /// The prefix length, 0…128. An IPv4 address is the last 32 of 128 bits, so `/24` of IPv4 is kept as 96 + 24.
  private let bits: Int

  /// Parses `ADDRESS` or `ADDRESS/BITS`; bits after the prefix are ignored.
  public init(_ text: String) throws(OSCError) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let address = IPAddress(parts[0]) else { throw .network(text) }
    var bits = 128
    if parts.count > 1 {
      // The notation decides which bits are counted: those of `::ffff:10.0.0.0/104` are 128, of which the last 24 are
      // free, as in `10.0.0.0/8`.
      let most = parts[0].contains(":") ? 128 : 32
      guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(parts[1]),
        (0...most).contains(number)
      else { throw .network(text) }
      bits = number + 128 - most
    }
    self.bits = bits
    base = Self.masked(address, bits)
  }

  /// Whether an address is in the network. An IPv4 address is in no IPv6 network, and an IPv6 address in no IPv4
  /// network.
  public func contains(_ address: IPAddress) -> Bool {
    address.isIPv4 == base.isIPv4 && Self.masked(address, bits) == base
  }

  private static func masked(_ address: IPAddress, _ bits: Int) -> IPAddress {
    IPAddress(
      high: bits >= 64 ? address.high : address.high & ~(.max >> UInt64(bits)),
      low: bits >= 128 ? address.low : bits <= 64 ? 0 : address.low & ~(.max >> UInt64(bits - 64)))
  }

  /// The normalized notation, `192.168.1.0/24`; a single address without its prefix length.
  public var description: String {
    bits == 128 ? "\(base)" : "\(base)/\(base.isIPv4 ? bits - 96 : bits)"
  }
}

/// The machines from which packets are accepted. This machine always is one of them.
public enum AllowedPeers: Sendable, Hashable {
  /// All machines that can reach the port.
  case any
  /// The machines of these networks; with none, this machine alone.
  case networks([Network])

  /// A few words for status lines; nil is the same as no networks, this machine alone.
  public static func words(_ allowed: AllowedPeers?) -> String {
    switch allowed {
    case .any: "any machine"
    case .networks(let networks) where !networks.isEmpty:
      networks.map(\.description).joined(separator: ", ")
    case .networks, nil: "this machine"
    }
  }

  /// Whether packets from an address are accepted.
  public func contains(_ address: IPAddress) -> Bool {
    if address.isLoopback { return true }
    switch self {
    case .any: return true
    case .networks(let networks): return networks.contains { $0.contains(address) }
    }
  }
}
