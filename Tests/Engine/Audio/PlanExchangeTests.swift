import CRealtime
import Engine
import Glibc
import Realtime
import Synchronization
import TestSupport
import Testing

/// Two threads and many plans.
@Suite(.waiting) struct PlanExchangeTests {
  /// Runs an engine's cycles on a thread, as an audio callback does.
  private final class CallbackThread: @unchecked Sendable {
    let rig: EngineRig
    let isStopping = Atomic<Bool>(false)
    private var thread = pthread_t()

    init(_ rig: EngineRig) { self.rig = rig }

    func start() {
      pthread_create(
        &thread, nil,
        { argument in
          let me = Unmanaged<CallbackThread>.fromOpaque(argument!).takeUnretainedValue()
          var cycle = 1
          while !me.isStopping.load(ordering: .acquiring) {
            me.rig.process(cycle)
            cycle = cycle % 127 + 1
          }
          return nil
        }, Unmanaged.passUnretained(self).toOpaque())
    }

    func join() {
      isStopping.store(true, ordering: .releasing)
      pthread_join(thread, nil)
    }
  }

  @Test func `after five thousand changes every plan was freed and no frame is missing`() {
    let rig = EngineRig()
    let freed = UnsafeMutablePointer<Counter>.allocate(capacity: 1)
    freed.initialize(to: Counter())
    let state = UnsafeMutablePointer<Probe>.allocate(capacity: 1)
    state.initialize(to: Probe())
    defer {
      state.deallocate()
      freed.deallocate()
    }
    let changes = 5000
    var alive: [UnsafeMutablePointer<Plan>: HandPlan] = [:]
    var (notTaken, left, frames, inOrder) = (0, 0, Int64(0), true)
    let turning = CallbackThread(rig)
    turning.start()

    /// Reads the plans that the callback no longer uses, in the order in which it left them, and frees them.
    func collect() {
      for pointer in rig.collect().reversed() {
        guard let plan = alive.removeValue(forKey: pointer) else { continue }
        for record in plan.records() {
          inOrder = inOrder && record.frame == frames + 1
          frames = record.frame
        }
        if let last = plan.last {
          inOrder = inOrder && last.frame == frames + Int64(last.frames)
          frames = last.frame
        }
        left += 1
      }
    }

    for change in 0..<changes {
      let plan = HandPlan(frames: 1000, state: state, releases: freed)
      alive[plan.pointer] = plan
      if let unused = rig.offer(plan) {
        alive[unused] = nil
        notTaken += 1
      }
      collect()
      // Sometimes the callback takes the plan, sometimes the next offer comes first.
      if change % 3 == 0 { usleep(1) }
      // A busy machine may not run the callback for long: it takes one of these, so that a part is taken anywhere. The
      // plan that runs then is the only one left; the callback may have taken it before.
      if change % 32 == 31 {
        _ = poll {
          collect()
          return alive.count == 1
        }
      }
    }
    turning.join()
    rig.engine.pointee.stop()
    if let unused = rig.withdraw() {
      alive[unused] = nil
      notTaken += 1
    }
    collect()
    #expect(alive.isEmpty)
    #expect(notTaken + left == changes)
    let count = freed.pointee.now()
    #expect(count == UInt64(changes))
    #expect(left > 100, "the callback took only \(left)")
    #expect(inOrder)
    let mistakes = state.pointee.mistakes
    #expect(mistakes == 0)
    #expect(frames == rig.finished)
  }
}
