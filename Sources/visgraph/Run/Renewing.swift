import Dispatch
import Synchronization

/// How a host waits until the control thread has made a plan for its rate. [any]
final class Renewing: Sendable {
  private let isWatching = Atomic<Bool>(false)
  private let isAwaited = Atomic<Bool>(false)
  private let bell = DispatchSemaphore(value: 0)

  /// From now on plans are renewed.
  func begin() { isWatching.store(true, ordering: .releasing) }

  /// Nobody renews plans any more.
  func end() {
    isWatching.store(false, ordering: .releasing)
    done()
  }

  /// Asks for it and, if it `isHeld` for it, waits at most a second.
  func wait(_ isHeld: Bool, ask: () -> Void) {
    guard isHeld, isWatching.load(ordering: .acquiring) else { return ask() }
    isAwaited.store(true, ordering: .relaxed)
    ask()
    _ = bell.wait(timeout: .now() + 1)
  }

  /// The plan is made.
  func done() { if isAwaited.exchange(false, ordering: .relaxed) { bell.signal() } }
}
