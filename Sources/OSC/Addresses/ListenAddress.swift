import CLiblo
import Glibc

/// Where packets are received: an address of this machine, or all of them (`0.0.0.0`, `[::]`), and a port.
public struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
  /// The address.
  public let host: IPAddress
  /// The port, 1…65535.
  public let port: UInt16
  /// The interface of a link-local IPv6 address (`fe80::1%eth0`); otherwise empty.
  let zone: String

  /// An address and a port; by default only this machine can reach it.
  public init(host: IPAddress = .loopback, port: UInt16) {
    self.init(host, port, zone: "")
  }

  private init(_ host: IPAddress, _ port: UInt16, zone: String) {
    self.host = host
    self.port = port
    self.zone = zone
  }

  /// Parses `PORT` (only this machine can reach it), `ADDRESS:PORT` or `[IPV6]:PORT`.
  public init(_ text: String) throws(OSCError) {
    if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      guard let port = UInt16(text), port > 0 else { throw .endpointPort(text) }
      self.init(port: port)
      return
    }
    guard !text.contains("://") else { throw .listen(text) }
    let endpoint = try Endpoint(text)
    let parts = endpoint.host.split(separator: "%", maxSplits: 1).map(String.init)
    guard endpoint.isNumeric, let first = parts.first, let host = IPAddress(first) else {
      throw .listen(endpoint.host)
    }
    self.init(host, endpoint.port, zone: parts.count > 1 ? parts[1] : "")
  }

  /// Whether only this machine can reach it.
  public var isLoopback: Bool { host.isLoopback }

  /// The address with its interface, if it has one: `fe80::1%eth0`.
  public var hostText: String { zone.isEmpty ? "\(host)" : "\(host)%\(zone)" }

  /// The address in the form of the system's calls.
  var socketAddress: SocketAddress { SocketAddress(host, port: port, scope: if_nametoindex(zone)) }

  /// `ADDRESS:PORT`, with an IPv6 address in brackets.
  public var description: String {
    host.isIPv4 ? "\(host):\(port)" : "[\(host)\(zone.isEmpty ? "" : "%\(zone)")]:\(port)"
  }
}

/// Why a socket cannot listen at an address.
public enum ListenError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Another program uses the port.
  case portTaken(ListenAddress)
  /// The port needs privileges that this process does not have.
  case portNotAllowed(ListenAddress)
  /// The address does not belong to this machine.
  case notOurs(ListenAddress)
  /// Another fault, with its `errno`.
  case refused(ListenAddress, errno: Int32)

  /// The fault that an `errno` of `bind` or `listen` stands for.
  public init(_ address: ListenAddress, _ number: Int32) {
    switch number {
    case EADDRINUSE: self = .portTaken(address)
    case EACCES, EPERM: self = .portNotAllowed(address)
    case EADDRNOTAVAIL: self = .notOurs(address)
    default: self = .refused(address, errno: number)
    }
  }

  /// The fault, without a remedy.
  public var description: String {
    switch self {
    case .portTaken(let address): "port \(address.port) of \(address.host) is taken"
    case .portNotAllowed(let address): "port \(address.port) of \(address.host) is not allowed for this user"
    case .notOurs(let address): "port \(address.port): this machine has no address \(address.host)"
    case .refused(let address, let number):
      "port \(address.port) of \(address.host): \(String(cString: strerror(number)))"
    }
  }
}
