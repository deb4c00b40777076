/// What a relay has to report of the show whose stage it hands on.
public enum RelayEvent: Sendable, Equatable, CustomStringConvertible {
  /// It is there.
  case found
  /// It is not, or not any more; it is looked for until it is.
  case lost(RelayFault)

  /// All of it in one line.
  public var description: String {
    switch self {
    case .found: "the show is there, and its stage is handed on"
    case .lost(let fault): "\(fault); it is looked for"
    }
  }
}

/// Why there is no stage to hand on.
public enum RelayFault: Error, Sendable, Equatable, CustomStringConvertible {
  /// Nobody answers, in the system's words.
  case unreachable(String)
  /// The server that answers serves no WebSocket: its status, and the beginning of what it says.
  case refused(status: UInt, reason: String)
  /// The show is run by another build: pages would make other particles of what it sends.
  case otherBuild
  /// The show has ended, as it said itself.
  case over
  /// The connection has ended.
  case ended
  /// Nothing has come for `silence`.
  case silent
  /// What comes is no stage.
  case broken

  /// After how long without a word the connection is given up, in seconds.
  static let silence = 10.0

  /// The sentence.
  public var description: String {
    switch self {
    case .unreachable(let words): "the show cannot be reached: \(words)"
    case .refused(let status, let reason): "the show refuses with \(status): \(reason)"
    case .otherBuild: "the show is run by another version of visgraph; take the same one for both"
    case .over: "the show has ended"
    case .ended: "the show has ended the connection"
    case .silent: "the show has said nothing for \(Int(Self.silence)) seconds"
    case .broken: "what the show sends is no stage"
    }
  }
}
