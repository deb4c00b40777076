import Glibc
import Synchronization

/// Puts the terminal back before a signal ends or stops the process. Signals that have a handler already are left to
/// them.
enum TerminalSignals {
  /// The one terminal that is watched; set before the handlers are.
  nonisolated(unsafe) static var guarded: UnsafeMutablePointer<TerminalGuard>?

  private static let ends = [SIGINT, SIGTERM, SIGHUP]
  /// What the runtime may handle already, to tell where it happened: the terminal is put back before it does.
  private static let crashes = [SIGQUIT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS]
  private static let highest = 64
  /// What was there before, by signal number.
  nonisolated(unsafe) private static let before: UnsafeMutablePointer<sigaction> = {
    let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: highest + 1)
    actions.initialize(repeating: sigaction(), count: highest + 1)
    return actions
  }()
  nonisolated(unsafe) private static var isWatchingExit = false

  /// Begins to watch over a terminal, which must stay in memory for good. [control]
  static func watch(_ terminal: UnsafeMutablePointer<TerminalGuard>) {
    guarded = terminal
    for signal in ends where isDefault(signal) { install(fall, for: signal) }
    for signal in crashes { install(fall, for: signal) }
    if isDefault(SIGTSTP) { install(stop, for: SIGTSTP) }
    if isDefault(SIGCONT) { install(resume, for: SIGCONT) }
    if !isWatchingExit {
      isWatchingExit = true
      // Code that ends the process without closing the screen may have said why.
      atexit { TerminalSignals.guarded?.pointee.hide(isFault: true) }
    }
  }

  /// Ends the watch: handlers that are still ours are what they were before. [control]
  static func unwatch() {
    for signal in ends + crashes + [SIGTSTP, SIGCONT] {
      var now = sigaction()
      sigaction(signal, nil, &now)
      guard
        address(now) == address(of: fall) || address(now) == address(of: stop)
          || address(now) == address(of: resume)
      else { continue }
      sigaction(signal, before + Int(signal), nil)
    }
  }

  private typealias Handler = @convention(c) (Int32) -> Void

  /// The process is about to end.
  private static let fall: Handler = { signal in
    TerminalSignals.guarded?.pointee.hide(isFault: signal != SIGINT && signal != SIGTERM && signal != SIGHUP)
    sigaction(signal, TerminalSignals.before + Int(signal), nil)
    raise(signal)
  }

  /// The process is about to stop; goes on behind `raise` when it is continued.
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
