import ArgumentParser
import Glibc
import Synchronization
import System

/// A subcommand that handles SIGINT and SIGTERM. These signals end other subcommands at once.
protocol HandlesSignals: ParsableCommand {}

/// Handles SIGINT and SIGTERM, which ask to end, and SIGHUP, which asks to reload. All threads block these signals from
/// the start of the process; one thread takes them by sigwait. So no signal is lost, and no code runs in a handler.
/// [any]
final class StopSignals: Sendable {
  private let asked = Atomic<Bool>(false)
  private let reload = Atomic<Bool>(false)
  private let wakePipe: WakePipe
  /// Whether there was a wake-up for more than waiting changes.
  private let isRoundDue = Atomic<Bool>(false)
  /// Ends the process if the control thread does not; nil: the end has no time limit.
  private let watchdog: StopWatchdog?
  /// Whether there is a controlling terminal whose end SIGHUP may report. False under `nohup`.
  private let hasTerminal: Bool
  private let takesSignals = CommandContext.current.takesSignals

  /// The signals that all threads block.
  private static let blockedSignals = SignalSet([SIGINT, SIGTERM, SIGHUP, SIGQUIT])

  /// Blocks the signals in this thread and all threads that it starts, and installs the handler of crashes. Call it
  /// first: until then signals have their default action.
  static func hold() {
    blockedSignals.block()
    CrashSignals.watch()
  }

  /// Restores the default actions; a signal that waits ends the process. Call it before there is another thread.
  static func unblock() { blockedSignals.unblock() }

  /// The maximum number of threads of a show before its first frame: its own, those of JACK and of the pages, and those
  /// of Dispatch for queues that run at once.
  private static let threads = 24

  /// Handles the signals of a show: it ends within 1 s, lights out, and turns the lights off when it crashes. If the
  /// system refuses the threads that this needs, prints the fault and throws exit code 1.
  static func ofShow() throws(ExitCode) -> (signals: StopSignals, watchdog: StopWatchdog) {
    let watchdog = StopWatchdog()
    guard CommandContext.current.takesSignals else { return (try StopSignals(watchdog), watchdog) }
    Memory.saveAddresses()
    do throws(ThreadError) {
      try Thread.check(threads)
      try CrashSignals.onCrash { watchdog.darkenAfterCrash() }
    } catch {
      throw refused("\(error)")
    }
    return (try StopSignals(watchdog), watchdog)
  }

  /// Handles the signals from now on, and those that came since `hold`. If the system refuses a descriptor or a thread,
  /// prints the fault and throws exit code 1.
  init(_ watchdog: StopWatchdog? = nil) throws(ExitCode) {
    guard let wakePipe = WakePipe() else { throw Self.refused("no descriptors left: \(Errno().text)") }
    self.wakePipe = wakePipe
    self.watchdog = watchdog
    signal(SIGPIPE, SIG_IGN)
    guard takesSignals else {
      hasTerminal = false
      return
    }
    var action = sigaction()
    sigaction(SIGHUP, nil, &action)
    let isIgnored = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    hasTerminal = !isIgnored && Self.isTerminalThere
    Self.blockedSignals.block()
    do throws(ThreadError) {
      // The thread never ends, so there is no moment at which a signal is lost.
      _ = try Thread.required("signals", as: Thread.Options(realTimePriority: StopWatchdog.realTimePriority))
      {
        [self] in while true { handle(Self.blockedSignals.wait()) }
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

  private func handle(_ number: Int32) {
    switch number {
    case SIGHUP:
      guard hasTerminal, hasTerminalGone() else {
        return askReload()
      }
      end(number)
    case SIGQUIT: CrashSignals.crash(by: number)
    default: end(number)
    }
  }

  private func end(_ number: Int32) {
    let isAgain = asked.exchange(true, ordering: .relaxed)
    wake()
    if let watchdog { watchdog.watch() }
    // Without a watchdog, a second signal ends the process at once.
    guard isAgain else { return }
    watchdog?.darken(within: 0.3)
    signal(number, SIG_DFL)
    SignalSet([number]).unblock()
    raise(number)
  }

  /// Whether SIGHUP came because the terminal is gone. It may disappear shortly after the signal, so this waits up to
  /// 0.1 s.
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

  var isAsked: Bool { asked.load(ordering: .relaxed) }

  /// Whether the watchdog's time limit runs.
  var hasDeadline: Bool { watchdog?.isAsked == true }

  /// Asks for the end, as SIGTERM does.
  func stop() {
    finish()
    if takesSignals { kill(getpid(), SIGTERM) }
  }

  /// Asks for the end without a time limit.
  func finish() {
    asked.store(true, ordering: .relaxed)
    wake()
  }

  /// Asks to read the graph again, as SIGHUP does.
  func askReload() {
    reload.store(true, ordering: .relaxed)
    wake()
  }

  func takeReload() -> Bool { reload.exchange(false, ordering: .relaxed) }

  /// Ends the current `wait`, or the next one.
  func wake() {
    isRoundDue.store(true, ordering: .releasing)
    wakePipe.wake()
  }

  /// Ends a wait, for changes of the graph that wait, and for steps of fades.
  func wakeForChanges() { wakePipe.wake() }

  /// Waits for a wake-up, at most `seconds`. Returns whether `wake` was called since the last time.
  @discardableResult
  func wait(seconds: Double) -> Bool {
    wakePipe.wait(seconds: seconds)
    return isRoundDue.exchange(false, ordering: .acquiring)
  }

  /// Becomes readable at a wake-up, for a wait on several descriptors.
  var descriptor: Int32 { wakePipe.descriptor }

  /// Clears past wake-ups. Call it before checking the conditions that they announce.
  func drainWakeUps() { wakePipe.drain() }
}
