/// A change of a JACK host's state, reported once. Any thread but the callback's may report it. [any]
public enum JackNotification: Equatable, Sendable {
  /// No server answers; the host tries once a second.
  case waiting(server: String?)
  /// A server refuses the client permanently, and `JackHost.open` has already returned. The host keeps trying.
  /// `hadNone`: an earlier try found no server.
  case openingFailed(JackError, hadNone: Bool)
  /// The client is open: its real name, the sample rate in Hz, the period in samples.
  case opened(name: String, rate: Int, period: Int)
  /// Another client has the requested name, so JACK gave another.
  case nameChanged(asked: String, given: String)
  /// The server is back, but another client has the name, and no other name is allowed. The host keeps trying.
  case nameTaken(String)
  /// The server is back, but refuses the client. The host keeps trying.
  case refused(JackError)
  /// The server has gone, for the reason that libjack or the host gives, and the callback has ended.
  case serverLost(reason: String)
  /// The server is there, but no cycle has run for `JackHost.stallLimit` and two periods; `freewheelLimit` in
  /// freewheel.
  case stalled
  /// Cycles run again.
  case resumed
  /// The server has not answered a request for `JackHost.answerLimit`. `isLocked`: JACK's metadata database is known
  /// to be locked.
  case noAnswer(server: String?, isLocked: Bool)
  /// The server's metadata does not answer: ports have no pretty names and no order.
  case metadataStuck
  /// libjack does not return from closing the lost client; the host goes on without it.
  case closeHangs
  /// The server is back, and so are the client and its ports.
  case back(name: String, rate: Int, period: Int)
  /// Overruns and underruns so far; at most once a second.
  case xruns(UInt64)
  /// The period has changed; the new one in samples.
  case periodChanged(Int)
  /// The rate has changed; the new one in Hz.
  case rateChanged(Int)
  /// Freewheel was turned on or off.
  case freewheel(Bool)
  /// A port of this client was connected, by this client or by another.
  case connected(port: String, other: String)
  /// A port of this client was disconnected, by this client or by another.
  case disconnected(port: String, other: String)
  /// JACK refused a connection at every try; it is tried again when the other port appears anew. `number` is JACK's
  /// error code.
  case connectionRefused(port: String, other: String, number: Int)
  /// The number of connections requested by hand that were dropped, because too many waited for a server that did not
  /// answer.
  case connectionsDropped(Int)
  /// JACK refused to register ports: the names are taken, or the server is full.
  case portsRefused([String])
  /// The pattern between slashes in `connect` is not a valid regular expression.
  case badPattern(port: String, pattern: String)
  /// A log line of libjack.
  case library(String)
}

extension JackNotification: CustomStringConvertible {
  /// The sentence for users.
  public var description: String {
    switch self {
    case .waiting(let server): "waiting for the JACK server\(server.map { " \"\($0)\"" } ?? "")"
    case .opened(let name, let rate, let period):
      "JACK client \"\(name)\", \(rate) Hz, \(period) samples a cycle"
    case .openingFailed(let error, _): error.description
    case .nameChanged(let asked, let given):
      "the name \"\(asked)\" is taken in JACK; this client is \"\(given)\""
    case .nameTaken(let name): JackError.nameTaken(name).description
    case .refused(let error): error.description
    case .serverLost(let reason): "the JACK server has gone\(reason.isEmpty ? "" : " (\(reason))")"
    case .stalled: "the JACK server runs no cycles; a timer drives the lights"
    case .resumed: "the JACK server runs cycles again"
    case .noAnswer(let server, let isLocked):
      "the JACK server\(server.map { " \"\($0)\"" } ?? "") does not answer. \(JackError.remedy(isLocked: isLocked))"
    case .metadataStuck:
      "JACK's metadata does not answer: patchbays show the ports without the names of their channels, and in no order."
        + " \(JackError.remedy(isLocked: true))"
    case .closeHangs: "the JACK library hangs in closing the lost client; it was left behind"
    case .back(let name, let rate, let period):
      "the JACK server is back: client \"\(name)\", \(rate) Hz, \(period) samples a cycle"
    case .xruns(let count): "xruns: \(count)"
    case .periodChanged(let period): "JACK runs \(period) samples a cycle now"
    case .rateChanged(let rate): "JACK runs at \(rate) Hz now"
    case .freewheel(let isOn): isOn ? "freewheel: cycles come as fast as they can" : "freewheel is over"
    case .connected(let port, let other): "\(port) connected to \(other)"
    case .disconnected(let port, let other): "\(port) disconnected from \(other)"
    case .connectionRefused(let port, let other, let number):
      "JACK does not connect \(port) to \(other)\(number == 0 ? "" : " (error \(number))")"
    case .connectionsDropped(let count):
      "\(count) connection\(count == 1 ? " is" : "s are") not made: too many were asked for while JACK did not answer"
    case .portsRefused(let names):
      "JACK does not make \(Self.ports(names)): \(names.count == 1 ? "its name is" : "their names are") taken, or the"
        + " server has no more ports (jackd --port-max)"
    case .badPattern(let port, let pattern): "\(port): /\(pattern)/ is no regular expression"
    case .library(let text): "libjack: \(text)"
    }
  }

  /// The name of the only port, or the number of ports with the first and the last name.
  private static func ports(_ names: [String]) -> String {
    guard names.count > 1 else { return "the port \(names.first ?? "")" }
    return "\(names.count) ports, \(names[0]) to \(names[names.count - 1])"
  }
}
