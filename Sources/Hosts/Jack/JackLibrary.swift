import CJack
import Glibc
import Graphs
import Synchronization

/// The library as a whole: it is one per process, and by itself it writes to the terminal. [control]
///
/// A process speaks with one server at a time, because libjack keeps one table of ports for all clients of a process.
enum JackLibrary {
  private static let lock = Lock()
  nonisolated(unsafe) private static var listener: (@Sendable (String) -> Void)?

  /// Sends the library's own words to `listener`, or nowhere. For all clients of the process.
  static func listen(_ listener: (@Sendable (String) -> Void)?) {
    lock.withLock { Self.listener = listener }
    jack_set_error_function { text in JackLibrary.say(text) }
    jack_set_info_function { text in JackLibrary.say(text) }
  }

  private static func say(_ text: UnsafePointer<CChar>?) {
    guard let text, let listener = lock.withLock({ Self.listener }) else { return }
    listener(String(cString: text))
  }

  /// Whether a server is there, found out by opening a client without ports for a moment. One that does not answer
  /// within two seconds is none.
  static func probe(server: String?) -> Bool {
    listen(nil)
    let isThere = JackAnswer()
    let hasAnswered = finishes(within: 2) {
      var status = JackStatus(0)
      guard let client = vg_jack_open("visgraph-probe-\(getpid())", server, 0, &status) else { return }
      jack_client_close(client)
      isThere.value.store(true, ordering: .releasing)
    }
    return hasAnswered && isThere.value.load(ordering: .acquiring)
  }

  private final class JackAnswer: Sendable {
    let value = Atomic<Bool>(false)
  }

  /// Whether a client was refused because of its name. JACK 1.9.21 answers with no more than a communication error, so
  /// another client asks the server who has the name.
  static func isTaken(_ name: String, server: String?, status: UInt32) -> Bool {
    if status & UInt32(JackNameNotUnique.rawValue) != 0 { return true }
    guard status & UInt32(JackServerError.rawValue) != 0, status & UInt32(JackServerFailed.rawValue) == 0
    else {
      return false
    }
    var answer = JackStatus(0)
    guard let client = vg_jack_open("visgraph-probe-\(getpid())", server, 0, &answer) else { return false }
    defer { jack_client_close(client) }
    guard let number = jack_get_uuid_for_client_name(client, name) else { return false }
    jack_free(number)
    return true
  }
}
