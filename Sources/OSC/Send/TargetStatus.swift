import CLiblo
import Glibc

/// A target as it stands at one moment.
public struct TargetStatus: Sendable, Equatable, CustomStringConvertible {
  /// Where it sends.
  public var endpoint: Endpoint
  /// How things stand.
  public var state: TargetState
  /// The last error there ever was, in words.
  public var lastError: String?
  /// Packets given to the network.
  public var sent: UInt64
  /// Packets the system refused to send.
  public var failed: UInt64
  /// Packets dropped because there was no address yet.
  public var dropped: UInt64
  /// How often the other machine said that nobody listens.
  public var refusals: UInt64

  /// The state as a sentence: "nobody listens on 127.0.0.1:7700".
  public var description: String {
    switch state {
    case .resolving: "looking for \(endpoint.host)"
    case .ready: "sending to \(endpoint)"
    case .refused: "nobody listens on \(endpoint)"
    case .networkDown:
      "the network is down: no way leads to \(endpoint); look at cable, Wi-Fi and address; trying again"
    case .hostDown: "\(endpoint.host) does not answer in its network; is it on, and is that its address?"
    case .failing(let reason): "cannot send to \(endpoint): \(reason)"
    case .unresolvable(let reason): "cannot find \(endpoint.host): \(reason); trying again"
    case .closed: "\(endpoint) is closed"
    }
  }
}

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

  /// Whether packets go out, or are about to, and nobody says that they do not arrive.
  public var isWell: Bool {
    switch self {
    case .ready, .resolving: true
    case .refused, .networkDown, .hostDown, .failing, .unresolvable, .closed: false
    }
  }

  /// What a packet's way fails at, by the system's number; nil where it is not the network.
  init?(networkError number: Int32) {
    switch number {
    case ENETUNREACH, ENETDOWN: self = .networkDown
    case EHOSTUNREACH, EHOSTDOWN: self = .hostDown
    default: return nil
    }
  }
}
