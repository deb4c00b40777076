import Glibc

/// A set of signals that a thread blocks or waits for.
package struct SignalSet: Sendable {
  private var set = sigset_t()

  /// The empty set.
  package static let none = SignalSet([])

  /// All but the signals of a thread's own faults. If these were blocked, the kernel would end the process at once,
  /// before the lights could be put out.
  package static let allButFaults: SignalSet = {
    var all = SignalSet.none
    sigfillset(&all.set)
    for signal in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS] { sigdelset(&all.set, signal) }
    return all
  }()

  /// Makes a set.
  package init(_ signals: [Int32]) {
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
  }

  /// Whether a signal is in the set.
  package func contains(_ signal: Int32) -> Bool {
    var set = set
    return sigismember(&set, signal) == 1
  }

  /// Blocks the signals in the calling thread, and in threads that it starts.
  package func block() { _ = change(SIG_BLOCK) }

  /// Unblocks the signals in the calling thread. Pending ones are then delivered.
  package func unblock() { _ = change(SIG_UNBLOCK) }

  /// Runs `body` while the calling thread also blocks these signals.
  package func whileBlocked<Result>(_ body: () -> Result) -> Result {
    let before = change(SIG_BLOCK)
    defer { _ = before.change(SIG_SETMASK) }
    return body()
  }

  /// Waits for one of the signals, which have to be blocked, and takes it.
  package func wait() -> Int32 {
    var set = set
    var number: Int32 = 0
    while sigwait(&set, &number) != 0 {}
    return number
  }

  private func change(_ how: Int32) -> SignalSet {
    var new = set
    var before = SignalSet.none
    pthread_sigmask(how, &new, &before.set)
    return before
  }
}
