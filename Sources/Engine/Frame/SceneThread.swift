import Graphs
import Synchronization
import System

/// The thread on which particles move while a show is live: woken after every frame, free to fall behind. [scene]
final class SceneThread: @unchecked Sendable {
  private let bell = Semaphore()
  private let isStopping = Atomic<Bool>(false)
  /// Posted at the end of the thread.
  private let endBell = Semaphore()
  private let lock = Lock()
  /// Under the lock: the newest plan is the last; those before it are only here to be freed by this thread, as that may
  /// take long.
  private var plans: [CompiledPlan] = []
  private var thread: Thread?

  /// Makes a thread and starts it.
  init() throws(ThreadError) {
    thread = try Thread.required("scene", as: Thread.Options(hasFinestTimers: true)) { [self] in
      while !isStopping.load(ordering: .acquiring) {
        _ = bell.wait(seconds: 0.5)
        advance()
      }
      endBell.post()
    }
  }

  /// Lets the scene of a plan go on; returns at once. After `stop` it does nothing. [frame]
  func ring(_ plan: CompiledPlan) {
    if isStopping.load(ordering: .acquiring) { return }
    let isNew = lock.withLock {
      // Where nothing moves and nothing has to be freed there is nothing to wake for.
      if plans.last === plan || (plans.isEmpty && plan.scene.isEmpty) { return false }
      // What waits for a long prewarm is held in memory: graphs that follow each other quickly would pile up.
      if let last = plans.last { Self.end(last, next: plan) }
      plans.append(plan)
      return true
    }
    if isNew || !plan.scene.isEmpty { bell.post() }
  }

  /// Notifies the nodes of a plan that is left for `next`, or for nothing, but those that go on in it.
  private static func end(_ plan: CompiledPlan, next: CompiledPlan? = nil) {
    let kept = Set((next?.scene ?? []).map(ObjectIdentifier.init))
    for node in plan.scene where !kept.contains(ObjectIdentifier(node)) { node.end() }
  }

  private func advance() {
    let current = lock.withLock { plans }
    // In order: what a plan has left behind comes before what its follower does.
    for plan in current { plan.advanceScene() }
    lock.withLock { if current.count > 1 { plans.removeFirst(current.count - 1) } }
    // Freed only here: not under the lock, which the frame thread waits for.
    withExtendedLifetime(current) {}
  }

  /// Ends the thread; what it was about to do is done or left. One that needs longer than `seconds` is left to itself:
  /// a step of a million particles is nothing that the end of a show may wait for. [any]
  func stop(seconds: Double = 0.3) {
    isStopping.store(true, ordering: .releasing)
    lock.withLock { if let last = plans.last { Self.end(last) } }
    bell.post()
    if thread?.hasCrashed != true, endBell.wait(seconds: seconds) { thread?.join() }
    thread = nil
    lock.withLock { plans = [] }
  }
}
