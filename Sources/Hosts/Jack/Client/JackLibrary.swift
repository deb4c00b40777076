import CJack
import CRealtime
import Engine
import Glibc
import Graphs
import Realtime
import Synchronization
import System

/// libjack as a whole: there is one per process, and by default it writes to the terminal. [any]
///
/// A process uses one server at a time, because libjack keeps one table of ports for all clients of a process.
enum JackLibrary {
  private static let lock = Lock()
  nonisolated(unsafe) private static var listener: (@Sendable (String) -> Void)?

  /// Sends the log lines of libjack to `listener`, or nowhere; for all clients of the process.
  static func listen(_ listener: (@Sendable (String) -> Void)?) {
    lock.withLock { Self.listener = listener }
    jack_set_error_function { text in JackLibrary.say(text) }
    jack_set_info_function { text in JackLibrary.say(text) }
  }

  private static func say(_ text: UnsafePointer<CChar>?) {
    withoutCancellation {
      guard let text, let listener = lock.withLock({ Self.listener }) else { return }
      listener(String(cString: text))
    }
  }

  /// Whether libjack is PipeWire's, which reports version 3 of JACK.
  static let isPipeWire: Bool = {
    var numbers: [Int32] = [0, 0, 0, 0]
    numbers.withUnsafeMutableBufferPointer { all in
      guard let first = all.baseAddress else { return }
      jack_get_version(first, first + 1, first + 2, first + 3)
    }
    return numbers[0] >= 3
  }()

  /// Whether a client was refused because of its name. JACK 1.9.21 reports only a communication error, so a second
  /// client asks the server whether the name is taken. It tries four times, as a busy server may refuse it as well.
  static func isTaken(_ name: String, server: String?, status: UInt32) -> Bool {
    if status & UInt32(JackNameNotUnique.rawValue) != 0 { return true }
    guard status & UInt32(JackServerError.rawValue) != 0, status & UInt32(JackServerFailed.rawValue) == 0
    else {
      return false
    }
    for pause in [0, 0.1, 0.2, 0.4] {
      MonotonicClock.sleep(seconds: pause)
      var answer = JackStatus(0)
      guard let client = vg_jack_open("visgraph-probe-\(getpid())", server, 0, &answer) else { continue }
      defer { jack_client_close(client) }
      guard let number = jack_get_uuid_for_client_name(client, name) else { return false }
      jack_free(number)
      return true
    }
    return false
  }
}

/// Memory that all clients of a host share, one after another, at fixed addresses. It lives as long as the last of
/// them. [control] makes it; [jack], [notice] and [audio] use it.
final class JackCommon: @unchecked Sendable {
  let runner: UnsafeMutablePointer<CycleRunner>
  let counters: UnsafeMutablePointer<JackCounters>
  /// The server's transport, as players follow and lead it.
  let transport: HostTransport
  /// Wakes the control thread.
  let wakeUp = Semaphore()
  /// Called before each cycle in freewheel.
  let wait: vg_jack_wait?
  /// The first argument of `wait`.
  let waitContext: UnsafeMutableRawPointer?

  init(
    engine: UnsafeMutablePointer<AudioEngine>, frameSemaphore: UnsafeMutablePointer<sem_t>,
    transport: HostTransport,
    wait: vg_jack_wait?, waitContext: UnsafeMutableRawPointer?
  ) {
    self.transport = transport
    runner = .allocate(capacity: 1)
    runner.initialize(to: CycleRunner(engine: engine, frameSemaphore: frameSemaphore))
    counters = .allocate(capacity: 1)
    counters.initialize(to: JackCounters())
    self.wait = wait
    self.waitContext = waitContext
  }

  deinit {
    runner.deinitialize(count: 1)
    runner.deallocate()
    counters.deinitialize(count: 1)
    counters.deallocate()
  }

  /// Clears the buffers of a client that was closed. Only while no callback runs.
  func forgetBuffers() { runner.pointee.ports.update(repeating: nil, count: CycleRunner.capacity) }
}

/// Limits how long the server's transport waits for followers that are not ready. [audio]
///
/// The server has a timeout of its own, but it may be 10 s: too long for a file that cannot be read.
struct JackSyncTimeout: ~Copyable {
  /// The longest wait, in nanoseconds: the default that JACK documents for its own timeout.
  static var limit: UInt64 { @_noLocks get { 2_000_000_000 } }

  /// The position that is waited for, in samples.
  private let place = Atomic<Int64>(-1)
  /// Since when, in nanoseconds of the monotonic clock; 0 while nothing waits.
  private let since = Atomic<UInt64>(0)

  /// Ends the wait.
  @_noLocks
  borrowing func forget() { since.store(0, ordering: .relaxed) }

  /// Continues the wait for a position, in samples, or begins it. Returns false once it has lasted for `limit`.
  @_noLocks
  borrowing func lasts(at place: Int64) -> Bool {
    let now = vg_now()
    let begin = since.load(ordering: .relaxed)
    if begin == 0 || self.place.load(ordering: .relaxed) != place {
      self.place.store(place, ordering: .relaxed)
      since.store(now, ordering: .relaxed)
      return true
    }
    return now < begin || now &- begin < Self.limit
  }
}

/// Runs `body` on a thread of its own; on the caller's where the system gives none. [any]
func startThread(named name: String, _ body: @escaping @Sendable () -> Void) {
  do throws(Errno) {
    _ = try Thread(name, body)
  } catch {
    body()
  }
}

/// Runs `body` on a thread of its own and waits for its end. Returns false after `seconds`; the thread then continues.
/// [any]
func finishes(within seconds: Double, _ body: @escaping @Sendable () -> Void) -> Bool {
  let done = Semaphore()
  startThread(named: "jack helper") {
    body()
    done.post()
  }
  return done.wait(seconds: seconds)
}
