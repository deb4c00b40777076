/// A service that this machine offers to its networks.
public struct AnnouncedService: Equatable, Sendable {
  /// The protocols by which a service is reached.
  public enum Family: Sendable {
    /// IPv4 only.
    case ipv4
    /// IPv6 only.
    case ipv6
    /// IPv4 and IPv6.
    case both
  }

  /// The DNS-SD type, such as `_osc._udp`.
  public var type: String
  /// The port.
  public var port: UInt16
  /// The entries of the TXT record, such as `path=/`.
  public var text: [String]
  /// The only interface that the service is announced on, such as `eth0`; nil: all.
  public var interface: String?
  /// The protocols by which it is reached.
  public var family: Family

  /// Makes a service.
  public init(
    type: String, port: UInt16, text: [String] = [], interface: String? = nil, family: Family = .both
  ) {
    (self.type, self.port, self.text) = (type, port, text)
    (self.interface, self.family) = (interface, family)
  }
}
