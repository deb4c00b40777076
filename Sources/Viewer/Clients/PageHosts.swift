import Graphs
import OSC
import System

/// The host names and addresses under which the pages may be opened, checked against the HTTP field `Host`. A site that
/// points its own name at this machine (DNS rebinding) is refused. [any]
final class PageHosts: Sendable {
  private let names: Set<String>
  private let listed: Set<IPAddress>
  private let addresses: @Sendable () -> [IPAddress]
  /// The host name that Avahi announces. It has a number if another machine on the network has the plain name.
  private let announced = Locked<String?>(nil)

  /// - Parameters:
  ///   - listed: names that the graph or the command line adds.
  ///   - hostName: the name of this machine.
  ///   - addresses: returns the current addresses of this machine. [any]
  init(
    listed: [String], hostName: String? = NetworkInterface.hostName,
    addresses: @escaping @Sendable () -> [IPAddress] = {
      NetworkInterface.all.compactMap { IPAddress($0.address) }
    }
  ) {
    var names: Set<String> = ["localhost"]
    if let whole = hostName?.lowercased(), let label = whole.split(separator: ".").first {
      names.formUnion([whole, String(label), "\(label).local"])
    }
    self.names = names.union(listed.map { $0.lowercased() })
    self.listed = Set(listed.compactMap { IPAddress($0) })
    self.addresses = addresses
  }

  /// Sets the announced name.
  func announce(_ name: String?) { announced.withLock { $0 = name?.lowercased() } }

  /// Whether the field `Host` names this machine. `local`: the address that the connection came to.
  func contains(_ host: String, at local: IPAddress?) -> Bool {
    guard let name = Self.name(in: host) else { return false }
    if let address = IPAddress(name) {
      // A browser that opens 0.0.0.0 connects to its own machine.
      return address.isLoopback || address.isAny || address == local || listed.contains(address)
        || addresses().contains(address)
    }
    return names.contains(name) || announced.withLock { $0 } == name
  }

  /// The name or address in a field `Host`, in lower case, without port and brackets; nil: invalid.
  static func name(in host: String) -> String? {
    guard host.utf8.count <= 255 else { return nil }
    var name = host.lowercased()[...]
    if name.first == "[" {
      guard let end = name.firstIndex(of: "]"), isPort(name[name.index(after: end)...]) else { return nil }
      let address = String(name[name.index(after: name.startIndex)..<end])
      return address.contains(":") && IPAddress(address) != nil ? address : nil
    }
    if let colon = name.firstIndex(of: ":") {
      guard isPort(name[colon...]) else { return nil }
      name = name[..<colon]
    }
    let isPlain = name.utf8.allSatisfy {
      (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E
    }
    return isPlain && !name.isEmpty ? String(name) : nil
  }

  private static func isPort(_ text: Substring) -> Bool {
    text.isEmpty || text.first == ":" && UInt16(text.dropFirst()) != nil
  }
}
