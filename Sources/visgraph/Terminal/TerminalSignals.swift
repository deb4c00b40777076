import Glibc
import Synchronization

/// Restores the terminal before a signal ends or stops the process. Leaves SIGINT, SIGTERM, SIGHUP, SIGTSTP and SIGCONT
/// alone where they have a handler.
enum TerminalSignals {
  /// The terminal to restore; set before the handlers are installed.
  nonisolated(unsafe) static var guarded: UnsafeMutablePointer<TerminalGuard>?

  /// Signals that ask the process to end.
  private static let ends = [SIGINT, SIGTERM, SIGHUP]
  // Swift's runtime may handle these to print a backtrace; the terminal is restored before.
  private static let crashes = [SIGQUIT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS]
  /// The highest signal number of Linux.
  private static let highest = 64
  /// The previous actions, by signal number.
  nonisolated(unsafe) private static let before: UnsafeMutablePointer<sigaction> = {
    let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: highest + 1)
    actions.initialize(repeating: sigaction(), count: highest + 1)
    return actions
  }()
  nonisolated(unsafe) private static var isWatchingExit = false

  /// Installs the handlers for a terminal, which must stay allocated for good. [control]
  static func watch(_ terminal: UnsafeMutablePointer<TerminalGuard>) {
    guarded = terminal
    for signal in ends where isDefault(signal) { install(terminate, for: signal) }
    for signal in crashes { install(terminate, for: signal) }
    if isDefault(SIGTSTP) { install(stop, for: SIGTSTP) }
    if isDefault(SIGCONT) { install(resume, for: SIGCONT) }
    if !isWatchingExit {
      isWatchingExit = true
      // Code that calls `exit` with the screen open may have printed the reason.
      atexit { TerminalSignals.guarded?.pointee.hide(isFault: true) }
    }
  }

  /// Restores the previous actions, unless another handler was installed since. [control]
  static func unwatch() {
    for signal in ends + crashes + [SIGTSTP, SIGCONT] {
      var now = sigaction()
      sigaction(signal, nil, &now)
      guard
        address(now) == address(of: terminate) || address(now) == address(of: stop)
          || address(now) == address(of: resume)
      else { continue }
      sigaction(signal, before + Int(signal), nil)
    }
  }

  private typealias Handler = @convention(c) (Int32) -> Void

  /// Before the process ends: restores the terminal and raises the signal again.
  private static let terminate: Handler = { signal in
    TerminalSignals.guarded?.pointee.hide(isFault: signal != SIGINT && signal != SIGTERM && signal != SIGHUP)
    sigaction(signal, TerminalSignals.before + Int(signal), nil)
    raise(signal)
  }

  /// Before the process stops; the lines after `raise` run when it is continued.
  private static let stop: Handler = { signal in
    let number = errno
    TerminalSignals.guarded?.pointee.hide()
    var ours = sigaction()
    sigaction(signal, TerminalSignals.before + Int(signal), &ours)
    raise(signal)
    sigaction(signal, &ours, nil)
    TerminalSignals.guarded?.pointee.hasResumed.store(true, ordering: .sequentiallyConsistent)
    errno = number
  }

  private static let resume: Handler = { _ in
    TerminalSignals.guarded?.pointee.hasResumed.store(true, ordering: .sequentiallyConsistent)
  }

  private static func install(_ handler: @escaping Handler, for signal: Int32) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    action.sa_flags = SA_NODEFER | SA_ONSTACK | SA_RESTART
    sigaction(signal, &action, before + Int(signal))
  }

  private static func isDefault(_ signal: Int32) -> Bool {
    var now = sigaction()
    sigaction(signal, nil, &now)
    return address(now) == 0
  }

  private static func address(_ action: sigaction) -> Int {
    unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
  }
  private static func address(of handler: Handler) -> Int { unsafeBitCast(handler, to: Int.self) }
}
