import ArgumentParser
import Glibc
import Synchronization
import System

/// A command that sees to SIGINT and SIGTERM itself; the others end by them at once.
protocol HandlesSignals: ParsableCommand {}

/// SIGINT and SIGTERM ask to stop, SIGHUP to reload. They are held back in every thread from the process's first moment
/// on, and taken by one thread that waits for them: none is ever lost, and nothing happens in a handler. [any]
final class StopSignals: Sendable {
  private let asked = Atomic<Bool>(false)
  private let reload = Atomic<Bool>(false)
  private let bell: WakePipe
  /// What sees to the end in the place of a control thread that cannot; nil where the end may take its time.
  private let watchdog: StopWatchdog?
  /// Whether the process belongs to a terminal, and SIGHUP may say that it has gone: under `nohup` it may not.
  private let hasTerminal: Bool

  private static let held = SignalSet([SIGINT, SIGTERM, SIGHUP, SIGQUIT])

  /// Holds the signals back, in this thread and all that it starts, and has a crash end the process. The first thing that
  /// the process does: what comes before it ends the process as the system does.
  static func hold() {
    held.block()
    CrashSignals.watch()
  }

  /// The signals end the process as the system does, also those that came meanwhile. Before there is another thread.
  static func unblock() { held.unblock() }

  /// How many threads a show has at most before its first light: its own, those of JACK and of the pages, and what
  /// Dispatch starts for queues that work at the same time.
  private static let threads = 24

  /// Takes them for a show: it ends within a second, lights out, and goes dark when it crashes. Where the process cannot
  /// have what a show needs, that is said and it ends.
  static func ofShow() throws(ExitCode) -> (signals: StopSignals, watchdog: StopWatchdog) {
    Memory.saveAddresses()
    let watchdog = StopWatchdog()
    do throws(ThreadError) {
      try Thread.check(threads)
      try CrashSignals.onCrash { watchdog.darkenAfterCrash() }
    } catch {
      throw refused("\(error)")
    }
    return (try StopSignals(watchdog), watchdog)
  }

  /// Takes them from now on, and those that came since `hold`. Where the process cannot have what that needs, it is said
  /// and it ends.
  init(_ watchdog: StopWatchdog? = nil) throws(ExitCode) {
    guard let bell = WakePipe() else { throw Self.refused("no descriptors left: \(Errno().text)") }
    self.bell = bell
    self.watchdog = watchdog
    var action = sigaction()
    sigaction(SIGHUP, nil, &action)
    let isIgnored = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    hasTerminal = !isIgnored && Self.isTerminalThere
    signal(SIGPIPE, SIG_IGN)
    Self.held.block()
    do throws(ThreadError) {
      // Kept by its own work, and never ended: there is no moment at which a signal may be lost.
      _ = try Thread.required("signals", as: Thread.Options(realTimePriority: StopWatchdog.realTimePriority))
      {
        [self] in while true { heard(Self.held.wait()) }
      }
    } catch {
      throw Self.refused("\(error)")
    }
  }

  private static func refused(_ reason: String) -> ExitCode {
    printNote("visgraph: \(reason)", .fault)
    return .failed
  }

  // MARK: - On the thread of the signals

  private func heard(_ number: Int32) {
    switch number {
    case SIGHUP:
      guard hasTerminal, hasTerminalGone() else {
        reload.store(true, ordering: .relaxed)
        return bell.ring()
      }
      end(number)
    case SIGQUIT: CrashSignals.crash(by: number)
    default: end(number)
    }
  }

  private func end(_ number: Int32) {
    let isAgain = asked.exchange(true, ordering: .relaxed)
    bell.ring()
    if let watchdog { watchdog.watch() }
    // Where nobody watches an impatient second one ends it at once.
    guard isAgain else { return }
    watchdog?.darken(within: 0.3)
    signal(number, SIG_DFL)
    SignalSet([number]).unblock()
    raise(number)
  }

  /// Whether SIGHUP came because the window was closed or the connection broke: the terminal goes with it, or a moment
  /// later.
  private func hasTerminalGone() -> Bool {
    for _ in 0..<20 {
      if !Self.isTerminalThere { return true }
      usleep(5000)
    }
    return false
  }

  private static var isTerminalThere: Bool {
    let file = open("/dev/tty", O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    var request = pollfd(fd: file, events: 0, revents: 0)
    return poll(&request, 1, 0) == 0 || Int32(request.revents) & (POLLHUP | POLLERR) == 0
  }

  // MARK: - Any thread

  /// Whether an end was asked for.
  var isAsked: Bool { asked.load(ordering: .relaxed) }

  /// Whether the end has to come within a second.
  var hasDeadline: Bool { watchdog?.isAsked == true }

  /// Asks for an end, as a signal does.
  func stop() {
    finish()
    kill(getpid(), SIGTERM)
  }

  /// Says that the show is over; what is left to do may take its time.
  func finish() {
    asked.store(true, ordering: .relaxed)
    bell.ring()
  }

  /// Whether a reload was asked for since the last call.
  func takeReload() -> Bool { reload.exchange(false, ordering: .relaxed) }

  /// Wakes who waits.
  func wake() { bell.ring() }

  /// Waits for something to happen, at most `seconds`.
  func wait(seconds: Double) { bell.wait(seconds: seconds) }

  /// Becomes readable when something happens; for who waits for other things besides.
  var descriptor: Int32 { bell.descriptor }

  /// Forgets what has happened so far, before it is looked for.
  func forgetBell() { bell.drain() }
}
