/// A service that this machine offers to its networks.
public struct AnnouncedService: Equatable, Sendable {
  /// The DNS-SD type, such as `_osc._udp`.
  public var type: String
  /// The port.
  public var port: UInt16
  /// The entries of the TXT record, such as `path=/`.
  public var text: [String]
  /// The only interface that the service is announced on, such as `eth0`; nil: all.
  public var interface: String?
  /// True: the service is reached by IPv4 only; false: by IPv6 only; nil: by both.
  public var isIPv4: Bool?

  /// Makes a service.
  public init(
    type: String, port: UInt16, text: [String] = [], interface: String? = nil, isIPv4: Bool? = nil
  ) {
    (self.type, self.port, self.text) = (type, port, text)
    (self.interface, self.isIPv4) = (interface, isIPv4)
  }
}
