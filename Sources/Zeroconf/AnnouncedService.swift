/// Something that this machine offers to its networks.
public struct AnnouncedService: Equatable, Sendable {
  /// What it is, such as `_osc._udp`.
  public var type: String
  /// Where.
  public var port: UInt16
  /// What else is said of it, such as `path=/`.
  public var text: [String]
  /// The interface on whose network alone it is, such as `eth0`; nil: on all of them.
  public var interface: String?
  /// Whether it is reached by IPv4 alone, or by IPv6 alone; nil: by both.
  public var isIPv4: Bool?

  /// States a service.
  public init(
    type: String, port: UInt16, text: [String] = [], interface: String? = nil, isIPv4: Bool? = nil
  ) {
    (self.type, self.port, self.text) = (type, port, text)
    (self.interface, self.isIPv4) = (interface, isIPv4)
  }
}
