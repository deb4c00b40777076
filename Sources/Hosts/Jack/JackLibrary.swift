import CJack
import Glibc
import Graphs
import System

/// The library as a whole: it is one per process, and by itself it writes to the terminal. [any]
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

  /// Whether it is PipeWire's, which calls itself version 3 of JACK.
  static let isPipeWire: Bool = {
    var numbers: [Int32] = [0, 0, 0, 0]
    numbers.withUnsafeMutableBufferPointer { all in
      guard let first = all.baseAddress else { return }
      jack_get_version(first, first + 1, first + 2, first + 3)
    }
    return numbers[0] >= 3
  }()

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
