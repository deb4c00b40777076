import CRealtime
import Glibc
import Graphs
import Synchronization

/// The thread on which particles move while a show is live: rung after every frame, free to fall behind. [scene]
final class SceneThread: @unchecked Sendable {
  private let bell: UnsafeMutablePointer<sem_t>
  private let isStopping = Atomic<Bool>(false)
  private let lock = Lock()
  /// Under the lock: the newest plan is the last; those before it are only here to be freed by this thread, as that may
  /// take long.
  private var plans: [CompiledPlan] = []
  private var thread: OSThread?

  /// Makes a thread and starts it.
  init() {
    bell = .allocate(capacity: 1)
    bell.initialize(to: sem_t())
    sem_init(bell, 0, 0)
    thread = OSThread(name: "scene", priority: 0) { [self] in
      while !isStopping.load(ordering: .acquiring) {
        _ = vg_wait(bell, 0.5)
        advance()
      }
    }
  }

  deinit {
    sem_destroy(bell)
    bell.deallocate()
  }

  /// Lets the scene of a plan go on; returns at once. [frame]
  func ring(_ plan: CompiledPlan) {
    lock.withLock { if plans.last !== plan { plans.append(plan) } }
    sem_post(bell)
  }

  private func advance() {
    let current = lock.withLock { plans }
    // In order: what a plan has left behind comes before what its follower does.
    for plan in current { plan.scene.forEach { $0.advance() } }
    lock.withLock { if current.count > 1 { plans.removeFirst(current.count - 1) } }
  }

  /// Ends the thread; what it was about to do is done or left. [control]
  func stop() {
    isStopping.store(true, ordering: .releasing)
    sem_post(bell)
    thread?.join()
    thread = nil
    lock.withLock { plans = [] }
  }
}
