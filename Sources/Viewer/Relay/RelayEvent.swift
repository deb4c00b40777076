/// A change of a relay's connection to its show.
public enum RelayEvent: Sendable, Equatable, CustomStringConvertible {
  /// The show is connected.
  case found
  /// The show is not connected; the relay tries again.
  case lost(RelayFault)

  /// A line for the log.
  public var description: String {
    switch self {
    case .found: "the show is there, and its stage is handed on"
    case .lost(let fault): "\(fault); it is looked for"
    }
  }
}

/// Why a relay has no stage.
public enum RelayFault: Error, Sendable, Equatable, CustomStringConvertible {
  /// No connection, with the system's reason.
  case unreachable(String)
  /// The server has no WebSocket: its status code, and the first line of its answer.
  case refused(status: UInt, reason: String)
  /// The show runs another build, whose particles may differ.
  case otherBuild
  /// The show has ended, by its close frame.
  case over
  /// The connection was closed.
  case ended
  /// Nothing has come for `silence`.
  case silent
  /// A message is invalid.
  case broken

  /// The timeout of a connection without messages, in s.
  static let silence = 10.0

  /// The sentence.
  public var description: String {
    switch self {
    case .unreachable(let words): "the show cannot be reached: \(words)"
    case .refused(let status, let reason): "the show refuses with \(status): \(reason)"
    case .otherBuild: "another version of visgraph runs the show; use the same version for both"
    case .over: "the show has ended"
    case .ended: "the show has ended the connection"
    case .silent: "the show has sent nothing for \(Int(Self.silence)) seconds"
    case .broken: "what the show sends is no stage"
    }
  }
}
