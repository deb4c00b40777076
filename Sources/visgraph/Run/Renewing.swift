import Dispatch
import Synchronization

/// Lets a host wait until the control thread has made a plan for its rate. [any]
final class Renewing: Sendable {
  /// Whether the control thread makes plans, between `begin` and `end`.
  private let isWatching = Atomic<Bool>(false)
  /// Whether a host waits for a plan.
  private let isAwaited = Atomic<Bool>(false)
  private let planMade = DispatchSemaphore(value: 0)

  /// From now on, the control thread makes plans.
  func begin() { isWatching.store(true, ordering: .releasing) }

  /// No more plans are made; ends a wait.
  func end() {
    isWatching.store(false, ordering: .releasing)
    done()
  }

  /// Calls `ask`. If `isHeld`, then waits for the plan, at most 1 s.
  func wait(_ isHeld: Bool, ask: () -> Void) {
    guard isHeld, isWatching.load(ordering: .acquiring) else { return ask() }
    isAwaited.store(true, ordering: .relaxed)
    ask()
    _ = planMade.wait(timeout: .now() + 1)
  }

  /// Ends the wait: the plan is made.
  func done() { if isAwaited.exchange(false, ordering: .relaxed) { planMade.signal() } }
}
