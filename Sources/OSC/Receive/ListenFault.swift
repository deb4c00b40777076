import Glibc

/// Why nothing can be received at an address.
public enum ListenFault: Error, Sendable, Equatable, CustomStringConvertible {
  /// Somebody else has the port.
  case portTaken(ListenAddress)
  /// The port needs rights that this process does not have.
  case portNotAllowed(ListenAddress)
  /// The address is none of this machine's.
  case notOurs(ListenAddress)
  /// The system refuses, with its `errno`.
  case refused(ListenAddress, errno: Int32)

  init(_ address: ListenAddress, _ number: Int32) {
    switch number {
    case EADDRINUSE: self = .portTaken(address)
    case EACCES, EPERM: self = .portNotAllowed(address)
    case EADDRNOTAVAIL: self = .notOurs(address)
    default: self = .refused(address, errno: number)
    }
  }

  /// What is wrong, without what to do.
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
