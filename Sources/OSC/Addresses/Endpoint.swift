import CLiblo
import Glibc

/// Where packets go: a host, a port and a transport.
///
/// Parsing is strict: liblo's own parser accepts `host:7700x` and `a:b:7`.
public struct Endpoint: Sendable, Hashable, CustomStringConvertible {
  /// The transport of packets.
  public enum TransportProtocol: String, Sendable {
    /// UDP, a datagram for each packet.
    case udp = "osc.udp"
    /// TCP, with a size before each packet (OSC 1.0).
    case tcp = "osc.tcp"
    /// TCP, with SLIP framing, an END before and after each packet (OSC 1.1).
    case slip = "osc.slip"
    /// A Unix socket of this machine, a datagram for each packet.
    case unix = "osc.unix"
  }

  /// A name, an IPv4 address, or an IPv6 address without brackets, as it was written; for a Unix socket, its path.
  public let host: String
  /// The port, 1…65535; 0 for a Unix socket.
  public let port: UInt16
  /// The transport.
  public let transport: TransportProtocol

  /// Parses `HOST:PORT`, `[IPV6]:PORT` or `osc.udp://HOST:PORT/`; with `streams` also `osc.tcp://HOST:PORT/`,
  /// `osc.slip://HOST:PORT/` and `osc.unix:///PATH`.
  public init(_ text: String, streams: Bool = false) throws(OSCError) {
    var rest = Substring(text)
    var transport = TransportProtocol.udp
    if let scheme = text.firstRange(of: "://") {
      let name = text[..<scheme.lowerBound].lowercased()
      switch name {
      case "osc.udp", "osc", "udp": break
      case "osc.tcp" where streams, "tcp" where streams: transport = .tcp
      case "osc.slip" where streams: transport = .slip
      case "osc.unix" where streams:
        let path = String(text[scheme.upperBound...])
        guard path.hasPrefix("/"), path.count > 1, path.utf8.count <= Self.longestPath, !path.utf8.contains(0)
        else { throw .endpointFile(path, longest: Self.longestPath) }
        (host, port, self.transport) = (path, 0, .unix)
        return
      case "osc.tcp", "osc.unix", "osc.slip", "tcp": throw .endpointTransport(name)
      default: throw .endpointScheme(name)
      }
      rest = text[scheme.upperBound...]
      if let slash = rest.firstIndex(of: "/") {
        guard rest[slash...] == "/" else { throw .endpointPath(String(rest[slash...])) }
        rest = rest[..<slash]
      }
    }
    (host, port) = try Self.split(rest)
    self.transport = transport
  }

  /// Maximum bytes of a Unix socket's path: `sun_path` has 108 with its terminating zero.
  static let longestPath = 107

  /// Takes a host without brackets, and a port: `10.0.0.1`, `ff18::8300:1`, `node.local`.
  public init(host: String, port: UInt16) throws(OSCError) {
    guard port > 0 else { throw .endpointPort("0") }
    guard Self.isIPv6(host) || Self.isHost(host) else { throw .endpointHost(host) }
    (self.host, self.port, transport) = (host, port, .udp)
  }

  /// `HOST:PORT`, with an IPv6 address in brackets; a URL for transports other than UDP.
  public var description: String { transport == .udp ? authority : "\(transport.rawValue)://\(authority)" }

  /// The endpoint as a URL, in liblo's form.
  public var url: String { "\(transport.rawValue)://\(authority)\(transport == .unix ? "" : "/")" }

  private var authority: String {
    transport == .unix ? host : host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }

  /// Whether no name server is needed, because the host is an IP address or a path.
  public var isNumeric: Bool { transport == .unix || Self.isIPv4(host) || host.contains(":") }

  /// Splits `HOST:PORT` or `[IPV6]:PORT`.
  private static func split(_ text: Substring) throws(OSCError) -> (host: String, port: UInt16) {
    if text.first == "[" {
      guard let close = text.firstIndex(of: "]") else { throw .endpointHost(String(text)) }
      let host = String(text[text.index(after: text.startIndex)..<close])
      guard isIPv6(host) else { throw .endpointHost(host) }
      let rest = text[text.index(after: close)...]
      guard rest.first == ":" else {
        throw rest.isEmpty ? .endpointPort("") : .endpointPath(String(rest))
      }
      return (host, try readPort(rest.dropFirst()))
    }
    if isIPv6(String(text)) { throw .endpointNeedsBrackets(String(text)) }
    guard let colon = text.lastIndex(of: ":") else {
      guard isHost(String(text)) else { throw .endpointHost(String(text)) }
      throw .endpointPort("")
    }
    let host = String(text[..<colon])
    if host.contains(":") { throw .endpointNeedsBrackets(String(text)) }
    guard isHost(host) else { throw .endpointHost(host) }
    return (host, try readPort(text[text.index(after: colon)...]))
  }

  private static func readPort(_ text: Substring) throws(OSCError) -> UInt16 {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(text), port > 0 else {
      throw .endpointPort(String(text))
    }
    return port
  }

  private static func isHost(_ text: String) -> Bool {
    guard (1...253).contains(text.utf8.count) else { return false }
    // Digits and dots alone must be an IPv4 address: a name server would be asked for "127.0.0.256" otherwise.
    if text.utf8.allSatisfy({ $0 == 0x2E || (0x30...0x39).contains($0) }) { return isIPv4(text) }
    return text.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }

  private static func isIPv4(_ text: String) -> Bool {
    var address = in_addr()
    return inet_pton(AF_INET, text, &address) == 1
  }

  private static func isIPv6(_ text: String) -> Bool {
    var address = in6_addr()
    let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, inet_pton(AF_INET6, String(first), &address) == 1 else { return false }
    // The zone is the name of an interface: fe80::1%eth0.
    return parts.count == 1
      || (!parts[1].isEmpty && parts[1].utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x25 })
  }
}
