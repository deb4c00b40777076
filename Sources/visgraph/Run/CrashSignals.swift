import Glibc
import Synchronization

/// A program that crashes must not leave the lights as they are: the thread that fell waits a moment for another to put
/// them out, then falls as it would have. The handler only calls what POSIX lists as safe there.
enum CrashSignals {
  /// What tells the thread of the signals that another has crashed.
  static let news = __libc_current_sigrtmin() + 4

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
    let news: Int32
  }
  nonisolated(unsafe) private static let state: UnsafeMutablePointer<State> = {
    let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
    state.initialize(to: State(news: news))
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
      kill(getpid(), state.pointee.news)
      var patience = 60
      while patience > 0, !state.pointee.isDark.load(ordering: .sequentiallyConsistent) {
        poll(nil, 0, 5)
        patience -= 1
      }
    }
    raise(signal)
  }
}
