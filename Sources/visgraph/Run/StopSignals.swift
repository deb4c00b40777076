import Glibc
import Synchronization
import System

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

  private static let held = SignalSet([SIGINT, SIGTERM, SIGHUP, SIGQUIT, CrashSignals.wakeSignal])

  /// Holds the signals back, in this thread and all that it starts. The first thing that the process does: what comes
  /// before it ends the process as the system does.
  static func hold() { held.block() }

  /// The signals end the process as the system does, also those that came meanwhile. Before there is another thread.
  static func unblock() { held.unblock() }

  /// Takes them for a show: it ends within a second, lights out.
  static func ofShow() -> (signals: StopSignals, watchdog: StopWatchdog) {
    let watchdog = StopWatchdog()
    let signals = StopSignals(watchdog)
    CrashSignals.watch()
    return (signals, watchdog)
  }

  /// Takes them from now on, and those that came since `hold`.
  init(_ watchdog: StopWatchdog? = nil) {
    // A process that has no two descriptors left at its start cannot show anything.
    guard let bell = WakePipe() else {
      fatalError("no descriptors left: \(String(cString: strerror(errno)))")
    }
    self.bell = bell
    self.watchdog = watchdog
    var action = sigaction()
    sigaction(SIGHUP, nil, &action)
    let isIgnored = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    hasTerminal = !isIgnored && Self.isTerminalThere
    signal(SIGPIPE, SIG_IGN)
    Self.hold()
    // Kept by its own work, and never ended: there is no moment at which a signal may be lost.
    _ = Thread.required("signals") { [self] in while true { heard(Self.held.wait()) } }
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
    case SIGQUIT: fall(number)
    case CrashSignals.wakeSignal:
      watchdog?.darken(within: 0.9, isCrash: true)
      CrashSignals.noteDark()
    default: end(number)
    }
  }

  private func end(_ number: Int32) {
    let isAgain = asked.exchange(true, ordering: .relaxed)
    bell.ring()
    if let watchdog { watchdog.watch() }
    // Where nobody watches an impatient second one ends it at once.
    if isAgain { fall(number) }
  }

  /// The lights go out, then the signal does what it does without us.
  private func fall(_ number: Int32) {
    watchdog?.darken(within: 0.3)
    if number != SIGQUIT { signal(number, SIG_DFL) }
    SignalSet([number]).unblock()
    raise(number)
    SignalSet([number]).block()
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

  /// Whether somebody wants an end.
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

/// A program that crashes must not leave the lights as they are: the thread that fell waits a moment for another to put
/// them out, then falls as it would have. The handler only calls what POSIX lists as safe there.
enum CrashSignals {
  /// What tells the thread of the signals that another has crashed.
  static let wakeSignal = __libc_current_sigrtmin() + 4

  private static let crashes = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS]
  private static let highest = 64
  /// What was there before, by signal number: the runtime may tell where it happened.
  nonisolated(unsafe) private static let before: UnsafeMutablePointer<sigaction> = {
    let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: highest + 1)
    actions.initialize(repeating: sigaction(), count: highest + 1)
    return actions
  }()
  private struct State: ~Copyable {
    let hasFallen = Atomic<Bool>(false)
    let isDark = Atomic<Bool>(false)
    let wakeSignal: Int32
  }
  nonisolated(unsafe) private static let state: UnsafeMutablePointer<State> = {
    let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
    state.initialize(to: State(wakeSignal: wakeSignal))
    return state
  }()

  /// Begins to watch. [control]
  static func watch() {
    _ = state
    for signal in crashes {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = fall
      action.sa_flags = SA_NODEFER | SA_ONSTACK | SA_RESTART
      sigaction(signal, &action, before + Int(signal))
    }
  }

  /// Says that the lights are out, or cannot be put out.
  static func noteDark() { state.pointee.isDark.store(true, ordering: .sequentiallyConsistent) }

  private static let fall: @convention(c) (Int32) -> Void = { signal in
    let state = CrashSignals.state
    sigaction(signal, CrashSignals.before + Int(signal), nil)
    if !state.pointee.hasFallen.exchange(true, ordering: .sequentiallyConsistent) {
      kill(getpid(), state.pointee.wakeSignal)
      // A second at most, which a busy machine may take to come to the other thread.
      var patience = 200
      while patience > 0, !state.pointee.isDark.load(ordering: .sequentiallyConsistent) {
        poll(nil, 0, 5)
        patience -= 1
      }
    }
    raise(signal)
  }
}
