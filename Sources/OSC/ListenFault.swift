import Glibc

/// Why nothing can be received at a port.
public enum ListenFault: Error, Sendable, Equatable, CustomStringConvertible {
  /// Somebody else has it.
  case portTaken(UInt16)
  /// It needs rights that this process does not have.
  case portNotAllowed(UInt16)
  /// The system refuses, with its `errno`.
  case refused(UInt16, errno: Int32)

  init(_ port: UInt16, _ number: Int32) {
    switch number {
    case EADDRINUSE: self = .portTaken(port)
    case EACCES, EPERM: self = .portNotAllowed(port)
    default: self = .refused(port, errno: number)
    }
  }

  /// What is wrong, without what to do.
  public var description: String {
    switch self {
    case .portTaken(let port): "port \(port) of 127.0.0.1 is taken"
    case .portNotAllowed(let port): "port \(port) of 127.0.0.1 is not allowed for this user"
    case .refused(let port, let number): "port \(port) of 127.0.0.1: \(String(cString: strerror(number)))"
    }
  }
}
