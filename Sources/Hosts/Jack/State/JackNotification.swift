/// Something that changed for a JACK host, said once per change. Reported by any thread but the callback's. [any]
public enum JackNotification: Equatable, Sendable {
  /// No server answers; the host tries once a second.
  case waiting(server: String?)
  /// No server has let the client in yet, and one refuses it for a reason that no waiting mends, where that is known only after
  /// `JackHost.open` has returned; the host goes on trying. `hadNone`: before that there was no server at all.
  case openingFailed(JackError, hadNone: Bool)
  /// The client is there: its real name, the rate in samples a second, the period in samples.
  case opened(name: String, rate: Int, period: Int)
  /// Another client has the name that was asked for, so JACK gave another.
  case nameChanged(asked: String, given: String)
  /// The server came back, but another client has the name and no other name would do; the host goes on trying.
  case nameTaken(String)
  /// The server came back, but refuses the client; the host goes on trying.
  case refused(JackError)
  /// The server has gone, with its own words, and the callback has ended.
  case serverLost(reason: String)
  /// The server is there, but no cycle has run for a third of a second.
  case stalled
  /// Cycles run again.
  case resumed
  /// The server has not answered a request for some seconds; whether its metadata is known to be locked.
  case noAnswer(server: String?, isLocked: Bool)
  /// The server's metadata does not answer: ports are without what is published of them besides their names.
  case metadataStuck
  /// The library does not come back from closing the lost client; it has been left to itself.
  case closeHangs
  /// The server is there again, and so are the client and its ports.
  case back(name: String, rate: Int, period: Int)
  /// Overruns and underruns so far; at most once a second.
  case xruns(UInt64)
  /// The period is another, in samples.
  case periodChanged(Int)
  /// The rate is another, in samples a second.
  case rateChanged(Int)
  /// Freewheel was turned on or off.
  case freewheel(Bool)
  /// A port of ours was connected to another, by whomever.
  case connected(port: String, other: String)
  /// A port of ours was disconnected from another.
  case disconnected(port: String, other: String)
  /// JACK did not make a connection, asked for several times; it is asked again when the other port appears anew.
  case connectionRefused(port: String, other: String, number: Int)
  /// More connections were asked for by hand than wait for a server that does not answer.
  case connectionsDropped(Int)
  /// JACK did not make ports: the names are taken, or the server is full.
  case portsRefused([String])
  /// What stands between slashes is no regular expression.
  case badPattern(port: String, pattern: String)
  /// What the library itself says; for the curious.
  case library(String)
}

extension JackNotification: CustomStringConvertible {
  /// The sentence for people.
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

  /// The port, or how many there are and which.
  private static func ports(_ names: [String]) -> String {
    guard names.count > 1 else { return "the port \(names.first ?? "")" }
    return "\(names.count) ports, \(names[0]) to \(names[names.count - 1])"
  }
}
