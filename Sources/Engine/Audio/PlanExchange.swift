import Synchronization

/// Passes plans between threads: a new plan waits here for the callback, and plans that the callback has left wait
/// here to be freed.
///
/// It has atomics only, and both threads only borrow it. A struct that both threads mutate would be a race even if
/// each field were atomic.
public struct PlanExchange: ~Copyable {
  let offered = Atomic<UnsafeMutablePointer<Plan>?>(nil)
  let retired = Atomic<UnsafeMutablePointer<Plan>?>(nil)

  /// No plan waits.
  public init() {}

  /// Offers a plan. Returns the one offered before if the callback never took it; the caller owns that one again.
  /// [control]
  public borrowing func offer(_ plan: UnsafeMutablePointer<Plan>) -> UnsafeMutablePointer<Plan>? {
    offered.exchange(plan, ordering: .acquiringAndReleasing)
  }

  /// Takes back an offer that the callback has not taken. [any]
  public borrowing func withdraw() -> UnsafeMutablePointer<Plan>? {
    offered.exchange(nil, ordering: .acquiring)
  }

  /// Takes the plans that the callback has left for good, newest first. [frame]
  public borrowing func collect() -> [UnsafeMutablePointer<Plan>] {
    var plans: [UnsafeMutablePointer<Plan>] = []
    var plan = retired.exchange(nil, ordering: .acquiring)
    while let retiredPlan = plan {
      plans.append(retiredPlan)
      plan = retiredPlan.pointee.next
    }
    return plans
  }

  /// Takes the offered plan, if there is one. [audio]
  @_noLocks
  borrowing func take() -> UnsafeMutablePointer<Plan>? {
    if offered.load(ordering: .relaxed) == nil { return nil }
    return offered.exchange(nil, ordering: .acquiring)
  }

  /// Hands over a plan that the callback has left for good. [audio]
  @_noLocks
  borrowing func retire(_ plan: UnsafeMutablePointer<Plan>) {
    var head = retired.load(ordering: .relaxed)
    // At most one retry: the only other thread is the collector, which takes the whole list.
    while true {
      plan.pointee.next = head
      let (done, now) = retired.compareExchange(
        expected: head, desired: plan, successOrdering: .releasing, failureOrdering: .relaxed)
      if done { return }
      head = now
    }
  }
}
