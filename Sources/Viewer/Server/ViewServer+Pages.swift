import Graphs
import OSC
import System

/// The addresses of the pages, as people are shown them.
extension ViewServer {
  /// A page, and its address as another machine takes it: with its key where it needs one.
  public struct Page: Equatable, Sendable {
    /// What it is called.
    public let name: String
    /// From `http://` on.
    public let address: String
    /// Whether other machines reach it by this address.
    public let isReachable: Bool
  }

  /// The pages of a server at an address; at all addresses of this machine, by the one that reaches it best.
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

  /// The address by which other machines most likely reach this one: of a network that runs, one that was given
  /// before one that the machine took (169.254.0.0/16), a device before what the machine makes for its containers, IPv4
  /// before IPv6; nil where there is none. One of IPv6 that is of its link alone no browser takes.
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
