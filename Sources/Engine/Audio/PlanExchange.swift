import Synchronization

/// Where plans change hands: a new one waits here for the callback, the ones it has left wait to be freed.
///
/// Atomics only, and both threads only borrow it: one struct that both sides mutate would be a race even where every
/// field is atomic.
public struct PlanExchange: ~Copyable {
  let offered = Atomic<UnsafeMutablePointer<Plan>?>(nil)
  let retired = Atomic<UnsafeMutablePointer<Plan>?>(nil)

  /// Nothing on either side.
  public init() {}

  /// Offers a plan. Returns the one offered before if the callback never took it: it is the caller's again. [control]
  public borrowing func offer(_ plan: UnsafeMutablePointer<Plan>) -> UnsafeMutablePointer<Plan>? {
    offered.exchange(plan, ordering: .acquiringAndReleasing)
  }

  /// Takes back an offer that the callback has not taken. [any]
  public borrowing func withdraw() -> UnsafeMutablePointer<Plan>? {
    offered.exchange(nil, ordering: .acquiring)
  }

  /// The plans that the callback has left for good, the newest first. [frame]
  public borrowing func collect() -> [UnsafeMutablePointer<Plan>] {
    var plans: [UnsafeMutablePointer<Plan>] = []
    var plan = retired.exchange(nil, ordering: .acquiring)
    while let left = plan {
      plans.append(left)
      plan = left.pointee.next
    }
    return plans
  }

  /// The plan offered, if there is one. [audio]
  @_noLocks
  borrowing func take() -> UnsafeMutablePointer<Plan>? {
    if offered.load(ordering: .relaxed) == nil { return nil }
    return offered.exchange(nil, ordering: .acquiring)
  }

  /// Leaves a plan for good. [audio]
  @_noLocks
  borrowing func retire(_ plan: UnsafeMutablePointer<Plan>) {
    var head = retired.load(ordering: .relaxed)
    // At most one retry: only the collector can come between, by taking the whole list.
    while true {
      plan.pointee.next = head
      let (done, now) = retired.compareExchange(
        expected: head, desired: plan, successOrdering: .releasing, failureOrdering: .relaxed)
      if done { return }
      head = now
    }
  }
}
