import Graphs
import OSC
import System

/// The URLs of the pages, for users.
extension ViewServer {
  /// A page and its URL for another machine, with the key if one is needed.
  public struct Page: Equatable, Sendable {
    /// `stage` or `desk`.
    public let name: String
    /// The URL.
    public let address: String
    /// Whether other machines reach it at this URL.
    public let isReachable: Bool
  }

  /// The pages at an address. If the server listens at all addresses, the best one for other machines is chosen.
  static func pages(_ address: ListenAddress, _ key: ViewKeys, _ interfaces: [NetworkInterface]) -> [Page] {
    let host = address.host.isAny ? bestHost(among: interfaces, isIPv4: address.host.isIPv4) : address.host
    let place =
      address.host.isAny ? "\(ListenAddress(host: host ?? .loopback, port: address.port))" : "\(address)"
    let isReachable = host.map { !$0.isLoopback && !$0.isLinkLocal } ?? false
    func query(_ key: String?) -> String { key.map { "?key=\($0)" } ?? "" }
    return [
      Page(name: "stage", address: "http://\(place)/\(query(key.stage))", isReachable: isReachable),
      Page(
        name: "desk", address: "http://\(place)/desk\(query(key.desk ?? key.stage))", isReachable: isReachable
      ),
    ]
  }

  /// The address at which other machines most likely reach this one; nil: none. Only interfaces that are up count. It
  /// prefers assigned addresses to self-assigned ones (169.254.0.0/16), then devices to virtual interfaces such as
  /// those of containers, then IPv4 to IPv6. IPv6 link-local addresses are left out, because browsers do not accept
  /// them.
  private static func bestHost(among interfaces: [NetworkInterface], isIPv4: Bool) -> IPAddress? {
    let taken = try? Network("169.254.0.0/16")
    let hosts = interfaces.filter(\.isRunning).compactMap { interface -> (host: IPAddress, rank: Int)? in
      guard let host = IPAddress(interface.address), !host.isLoopback, !host.isLinkLocal,
        host.isIPv4 || !isIPv4
      else { return nil }
      let isTaken = taken?.contains(host) ?? false
      return (host, (isTaken ? 4 : 0) + (interface.isDevice ? 0 : 2) + (host.isIPv4 ? 0 : 1))
    }
    return hosts.min { $0.rank < $1.rank }?.host
  }
}
