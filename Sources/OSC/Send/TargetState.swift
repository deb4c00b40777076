import Glibc

/// How things stand with a target.
public enum TargetState: Sendable, Equatable {
  /// The host's address is being asked for; packets are dropped.
  case resolving
  /// Packets go out.
  case ready
  /// The other machine says that nobody listens on the port; packets still go out.
  case refused
  /// The network is down, or none leads to the host; it is tried again.
  case networkDown
  /// The network is there, and the host does not answer in it; packets still go out.
  case hostDown
  /// Packets cannot be sent at all, for the reason given; every packet tries again.
  case failing(String)
  /// The host has no address, for the reason given; it is asked for again after a while.
  case unresolvable(String)
  /// `close()` was called.
  case closed

  /// What a packet's way fails at, by the system's number; nil where it is not the network.
  init?(networkError number: Int32) {
    switch number {
    case ENETUNREACH, ENETDOWN: self = .networkDown
    case EHOSTUNREACH, EHOSTDOWN: self = .hostDown
    default: return nil
    }
  }
}
