import CJack

/// Why no JACK client could be opened. [any]
public enum JackError: Error, Equatable, Sendable {
  /// A client's name takes 1 to 63 bytes and no colon.
  case badName(String)
  /// No server of this name answers; nil: the default one.
  case noServer(String?)
  /// The server of this name exists, but does not answer; nil: the default one.
  case noAnswer(String?)
  /// Another client has the name, and no other name is allowed.
  case nameTaken(String)
  /// The client has the name of its server. It would take the server's socket away, and no other client could
  /// connect.
  case serverName(String)
  /// The server or libjack refuses, with JACK's status bits.
  case refused(status: UInt32)
  /// The host was stopped while it waited for a server.
  case stopped
  /// The system gives no thread, for the reason that it states.
  case noThread(String)

  /// The most bytes of a client's name. Some versions of JACK have a limit as low as this.
  public static let nameLimit = 63

  /// A stable name of the error.
  public var code: String {
    switch self {
    case .badName: "jack-bad-name"
    case .noServer: "jack-no-server"
    case .noAnswer: "jack-no-answer"
    case .nameTaken: "jack-name-taken"
    case .serverName: "jack-name-server"
    case .refused: "jack-refused"
    case .stopped: "jack-stopped"
    case .noThread: "jack-no-thread"
    }
  }
}

extension JackError {
  /// Whether a later try may succeed: no server yet, or one that is still starting (`JackServerError`).
  var mayPass: Bool {
    switch self {
    case .noServer: true
    case .refused(let status): status & UInt32(JackServerError.rawValue) != 0
    default: false
    }
  }

  /// Whether the name is wrong, and not the server.
  package var isOfName: Bool {
    switch self {
    case .badName, .nameTaken, .serverName: true
    default: false
    }
  }
}

extension JackError: CustomStringConvertible {
  /// The sentence for users.
  public var description: String {
    switch self {
    case .badName(let name):
      "\"\(name)\" cannot be the name of a JACK client: it takes 1 to \(Self.nameLimit) bytes"
        + " and no colon, this has \(name.utf8.count) bytes. Give another with --client"
    case .serverName(let name):
      "a JACK client cannot have the name of its server, \"\(name)\". Give another with --client"
    case .noServer(let server):
      "no JACK server\(server.map { " named \"\($0)\"" } ?? "") answers. Start one (jackd, or qjackctl),"
        + " leave out --no-wait to wait for it, or use --host clock"
    case .noAnswer(let server):
      "the JACK server\(server.map { " \"\($0)\"" } ?? "") does not answer. \(Self.remedy(isLocked: false)),"
        + " or use --host clock"
    case .nameTaken(let name):
      "another JACK client is called \"\(name)\". Stop it, or give another name with --client"
    case .refused(let status):
      "the JACK server refuses the client (\(Self.words(of: status)))"
    case .stopped:
      "stopped while waiting for a JACK server"
    case .noThread(let reason):
      "the system gives no thread for JACK: \(reason)"
    }
  }

  /// What a user can do about a server that does not answer. `isLocked`: its metadata is known to be the cause.
  static func remedy(isLocked: Bool) -> String {
    let folder = JackMetadata.folder
    if isLocked, let folder {
      return "Its metadata is locked by a program that was killed: end all JACK servers, remove the folder"
        + " \(folder), and start JACK again"
    }
    let more = folder.map { "; if the next one hangs too, end all JACK servers and remove the folder \($0)" }
    return "End it (kill -9 if it must be) and start it again" + (more ?? "")
  }

  /// JACK's status bits in words. `JackFailure` and `JackServerStarted` tell a user nothing.
  private static func words(of status: UInt32) -> String {
    let known: [(bit: JackStatus, words: String)] = [
      (JackInvalidOption, "invalid option"), (JackNameNotUnique, "name taken"),
      (JackServerFailed, "no connection to the server"), (JackServerError, "communication error"),
      (JackNoSuchClient, "no such client"), (JackLoadFailure, "an internal client cannot be loaded"),
      (JackInitFailure, "the client cannot be initialized"),
      (JackShmFailure, "no shared memory: is the server another user's?"),
      (JackVersionError, "other version of the protocol"), (JackBackendError, "backend error"),
      (JackClientZombie, "the server has removed the client"),
    ]
    let named = known.filter { status & UInt32($0.bit.rawValue) != 0 }.map(\.words)
    let number = "status 0x" + String(status, radix: 16)
    return (named + [number]).joined(separator: ", ")
  }
}
