import Glibc

/// Signals that a thread holds back, or waits for.
package struct SignalSet: Sendable {
  private var set = sigset_t()

  /// None.
  package static let none = SignalSet([])

  /// All but those that a thread brings upon itself: these end the process where they are held back, and nobody could put
  /// the lights out before.
  package static let allButFaults: SignalSet = {
    var all = SignalSet.none
    sigfillset(&all.set)
    for signal in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS] { sigdelset(&all.set, signal) }
    return all
  }()

  /// These.
  package init(_ signals: [Int32]) {
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
  }

  /// Whether a signal is among them.
  package func contains(_ signal: Int32) -> Bool {
    var set = set
    return sigismember(&set, signal) == 1
  }

  /// Holds them back from the calling thread, and from those that it starts.
  package func block() { _ = change(SIG_BLOCK) }

  /// Lets them come to the calling thread, also those that came meanwhile.
  package func unblock() { _ = change(SIG_UNBLOCK) }

  /// Runs `body` while the calling thread holds them back, beside those it does already.
  package func whileBlocked<Result>(_ body: () -> Result) -> Result {
    let before = change(SIG_BLOCK)
    defer { _ = before.change(SIG_SETMASK) }
    return body()
  }

  /// Waits until one comes, and takes it; they are held back meanwhile.
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
