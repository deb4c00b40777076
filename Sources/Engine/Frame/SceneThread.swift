import Graphs
import Synchronization
import System

/// The thread that moves particles while a show is live. It is woken after every frame, and may fall behind. [scene]
final class SceneThread: @unchecked Sendable {
  private let wakeUp = Semaphore()
  private let isStopping = Atomic<Bool>(false)
  /// Posted when the thread ends.
  private let ended = Semaphore()
  private let lock = Lock()
  /// Guarded by `lock`: the newest plan is the last. This thread frees the plans before it, because freeing may take
  /// long.
  private var plans: [CompiledPlan] = []
  private var thread: Thread?

  /// Makes a thread and starts it.
  init() throws(ThreadError) {
    thread = try Thread.required("scene", as: Thread.Options(hasFinestTimers: true)) { [self] in
      while !isStopping.load(ordering: .acquiring) {
        _ = wakeUp.wait(seconds: 0.5)
        advance()
      }
      ended.post()
    }
  }

  /// Wakes the thread for the scene of a plan, and returns at once. After `stop` it does nothing. [frame]
  func ring(_ plan: CompiledPlan) {
    if isStopping.load(ordering: .acquiring) { return }
    let isNew = lock.withLock {
      // Where nothing moves and no plan has to be freed, the thread is not woken.
      if plans.last === plan || (plans.isEmpty && plan.scene.isEmpty) { return false }
      // A node that waits for a long prewarm holds memory, which would add up while graphs follow each other
      // quickly.
      if let last = plans.last { Self.end(last, next: plan) }
      plans.append(plan)
      return true
    }
    if isNew || !plan.scene.isEmpty { wakeUp.post() }
  }

  /// Ends the nodes of a plan, except those that the plan `next` has as well.
  private static func end(_ plan: CompiledPlan, next: CompiledPlan? = nil) {
    let kept = Set((next?.scene ?? []).map(ObjectIdentifier.init))
    for node in plan.scene where !kept.contains(ObjectIdentifier(node)) { node.end() }
  }

  private func advance() {
    let current = lock.withLock { plans }
    // In order: a plan finishes its steps before its successor begins.
    for plan in current { plan.advanceScene() }
    lock.withLock { if current.count > 1 { plans.removeFirst(current.count - 1) } }
    // Freed outside the lock, which the frame thread waits for.
    withExtendedLifetime(current) {}
  }

  /// Ends the thread after its present step, and waits for that for at most `seconds`: a step of a million particles
  /// must not delay the end of a show. [any]
  func stop(seconds: Double = 0.3) {
    isStopping.store(true, ordering: .releasing)
    lock.withLock { if let last = plans.last { Self.end(last) } }
    wakeUp.post()
    if thread?.hasCrashed != true, ended.wait(seconds: seconds) { thread?.join() }
    thread = nil
    lock.withLock { plans = [] }
  }
}
