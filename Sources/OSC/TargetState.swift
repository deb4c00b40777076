/// How things stand with a target.
public enum TargetState: Sendable, Equatable {
  /// The host's address is being asked for; packets are dropped.
  case resolving
  /// Packets go out.
  case ready
  /// The other machine says that nobody listens on the port; packets still go out.
  case refused
  /// Packets cannot be sent at all, for the reason given; every packet tries again.
  case failing(String)
  /// The host has no address, for the reason given; it is asked for again after a while.
  case unresolvable(String)
  /// `close()` was called.
  case closed
}
