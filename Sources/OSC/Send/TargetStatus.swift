import CLiblo
import Glibc

/// The state of a target at one moment.
public struct TargetStatus: Sendable, Equatable, CustomStringConvertible {
  /// Where it sends to.
  public var endpoint: Endpoint
  /// The state.
  public var state: TargetState
  /// The last error ever, in words.
  public var lastError: String?
  /// Packets passed to the network.
  public var sent: UInt64
  /// Packets that the system refused to send.
  public var failed: UInt64
  /// Packets dropped because the address was not known.
  public var dropped: UInt64
  /// How many times the other machine reported that the port has no receiver (ICMP port unreachable, or a refused
  /// connection).
  public var refusals: UInt64

  /// The state as a sentence: "nobody listens on 127.0.0.1:7700".
  public var description: String {
    switch state {
    case .resolving: "looking for \(endpoint.host)"
    case .ready: "sending to \(endpoint)"
    case .refused: "nobody listens on \(endpoint)"
    case .networkDown:
      "the network is down: no way leads to \(endpoint); check cable, Wi-Fi and address; trying again"
    case .hostDown: "\(endpoint.host) does not answer in its network; is it on, and is that its address?"
    case .failing(let reason): "cannot send to \(endpoint): \(reason)"
    case .unresolvable(let reason): "cannot find \(endpoint.host): \(reason); trying again"
    case .closed: "\(endpoint) is closed"
    }
  }
}

/// The state of a target.
public enum TargetState: Sendable, Equatable {
  /// The host is being resolved; packets are dropped.
  case resolving
  /// Packets are sent.
  case ready
  /// The other machine reports that the port has no receiver; packets are sent all the same.
  case refused
  /// The network is down, or has no route to the host; it is tried again.
  case networkDown
  /// The network is up, but the host does not answer; packets are sent all the same.
  case hostDown
  /// Packets cannot be sent, for the reason given; each packet tries again.
  case failing(String)
  /// The host cannot be resolved, for the reason given; it is tried again.
  case unresolvable(String)
  /// `close()` was called.
  case closed

  /// Whether packets are sent, or are about to be, without a known fault.
  public var isWell: Bool {
    switch self {
    case .ready, .resolving: true
    case .refused, .networkDown, .hostDown, .failing, .unresolvable, .closed: false
    }
  }

  /// The state for an `errno` of the network; nil for other errors.
  init?(networkError number: Int32) {
    switch number {
    case ENETUNREACH, ENETDOWN: self = .networkDown
    case EHOSTUNREACH, EHOSTDOWN: self = .hostDown
    default: return nil
    }
  }
}
