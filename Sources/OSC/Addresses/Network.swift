/// A network as CIDR writes it: `192.168.1.0/24`, `fd00::/8`, or a single address.
public struct Network: Sendable, Hashable, CustomStringConvertible {
  private let base: IPAddress
  /// How many bits of the 128 (IPv4 has the last 32) are the network's.
  private let bits: Int

  /// Reads `ADDRESS` or `ADDRESS/BITS`; bits behind the network's are left out.
  public init(_ text: String) throws(OSCError) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let address = IPAddress(parts[0]) else { throw .network(text) }
    var bits = 128
    if parts.count > 1 {
      // As it is written: IPv4 in IPv6's clothes has all 128.
      let most = parts[0].contains(":") ? 128 : 32
      guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(parts[1]),
        (0...most).contains(number)
      else { throw .network(text) }
      bits = number + 128 - most
    }
    self.bits = bits
    base = Self.masked(address, bits)
  }

  /// Whether an address is in it. Those of IPv4 are in networks of IPv4 alone.
  public func contains(_ address: IPAddress) -> Bool {
    address.isIPv4 == base.isIPv4 && Self.masked(address, bits) == base
  }

  private static func masked(_ address: IPAddress, _ bits: Int) -> IPAddress {
    IPAddress(
      high: bits >= 64 ? address.high : address.high & ~(.max >> UInt64(bits)),
      low: bits >= 128 ? address.low : bits <= 64 ? 0 : address.low & ~(.max >> UInt64(bits - 64)))
  }

  /// As it was meant: `192.168.1.0/24`; a single address without bits.
  public var description: String {
    bits == 128 ? "\(base)" : "\(base)/\(base.isIPv4 ? bits - 96 : bits)"
  }
}

/// Who may be heard. This machine always is.
public enum AllowedPeers: Sendable, Hashable {
  /// Any machine that reaches the port.
  case any
  /// Those of some networks; of none: this machine alone.
  case networks([Network])

  /// Who that is, in a few words; of nobody: this machine.
  public static func words(_ allowed: AllowedPeers?) -> String {
    switch allowed {
    case .any: "any machine"
    case .networks(let networks): networks.map(\.description).joined(separator: ", ")
    case nil: "this machine"
    }
  }

  /// Whether an address is among them.
  public func contains(_ address: IPAddress) -> Bool {
    if address.isLoopback { return true }
    switch self {
    case .any: return true
    case .networks(let networks): return networks.contains { $0.contains(address) }
    }
  }
}
