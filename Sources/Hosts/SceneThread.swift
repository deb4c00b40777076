import CRealtime
import Glibc
import Graphs
import Synchronization

/// The thread on which particles move while a show is live: rung after every frame, free to fall behind. [scene]
final class SceneThread: @unchecked Sendable {
  private let bell: UnsafeMutablePointer<sem_t>
  private let isStopping = Atomic<Bool>(false)
  /// Guards `plan`.
  private let lock = Lock()
  private var plan: CompiledPlan?
  private var thread: OSThread?

  /// Makes a thread and starts it.
  init() {
    bell = .allocate(capacity: 1)
    bell.initialize(to: sem_t())
    sem_init(bell, 0, 0)
    thread = OSThread(name: "scene", priority: 0) { [self] in
      while !isStopping.load(ordering: .acquiring) {
        _ = vg_wait(bell, 0.5)
        lock.withLock { plan }?.scene.forEach { $0.advance() }
      }
    }
  }

  deinit {
    sem_destroy(bell)
    bell.deallocate()
  }

  /// Lets the scene of a plan go on; returns at once. [frame]
  func ring(_ plan: CompiledPlan) {
    let old = lock.withLock {
      defer { self.plan = plan }
      return self.plan === plan ? nil : self.plan
    }
    sem_post(bell)
    // Outside of the lock; the frame thread holds plans longer than this thread does.
    withExtendedLifetime(old) {}
  }

  /// Ends the thread; what it was about to do is done or left. [control]
  func stop() {
    isStopping.store(true, ordering: .releasing)
    sem_post(bell)
    thread?.join()
    thread = nil
    lock.withLock { plan = nil }
  }
}
