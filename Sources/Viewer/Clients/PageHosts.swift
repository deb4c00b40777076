import Graphs
import OSC
import System

/// The names and addresses by which pages of this machine are opened. A browser sends which one it was in the field `Host`;
/// under another a web site may have turned its own name to this machine (DNS rebinding). [any]
final class PageHosts: Sendable {
  private let names: Set<String>
  private let listed: Set<IPAddress>
  private let addresses: @Sendable () -> [IPAddress]
  /// The host name that Avahi announces, which has a number where another machine of the network has the plain one.
  private let announced = Locked<String?>(nil)

  /// - Parameters:
  ///   - listed: what the graph or the command line adds.
  ///   - hostName: what this machine calls itself.
  ///   - addresses: those of this machine as they are now. [any]
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

  /// Notes which name is announced.
  func announce(_ name: String?) { announced.withLock { $0 = name?.lowercased() } }

  /// Whether a field `Host` names this machine, for a connection that came to one of its addresses.
  func contains(_ host: String, at local: IPAddress?) -> Bool {
    guard let name = Self.name(in: host) else { return false }
    if let address = IPAddress(name) {
      // Who writes 0.0.0.0 into a browser comes to its own machine.
      return address.isLoopback || address.isAny || address == local || listed.contains(address)
        || addresses().contains(address)
    }
    return names.contains(name) || announced.withLock { $0 } == name
  }

  /// The name or the address in a field `Host`, in small letters, without port and brackets; nil where it is none.
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
