import Glibc
import Realtime
import Synchronization
import System

/// The frame thread: takes every record in order, runs the frame nodes, and changes from plan to plan.
public final class FrameThread: @unchecked Sendable {
  /// The semaphore that the callback posts after every cycle in which a frame ended.
  public var frameSemaphore: UnsafeMutablePointer<sem_t> { wakeUp.pointer }
  private let wakeUp = Semaphore()
  private let exchange: UnsafeMutablePointer<PlanExchange>
  /// Guards `plans`.
  let lock = Lock()
  /// Plans that were offered and are not current yet, in order.
  private(set) var plans: [CompiledPlan] = []
  private let isStopping = Atomic<Bool>(false)
  /// Held by the thread that puts out the lights.
  private let ending = Lock()
  /// Guarded by `ending`: whether the lights are out for good.
  private var isDark = false
  private let isFreewheeling = Atomic<Bool>(false)
  /// Held while a stalled frame is made, so that none follows `setStalled(false)`.
  let stalling = Lock()
  /// Whether no callback runs. Guarded by `stalling`.
  private(set) var isStalled = false
  /// The last frame that the frame nodes have finished.
  let done = Atomic<Int64>(0)
  /// The address of the plan whose records are taken.
  private let currentAddress = Atomic<UInt>(0)
  private let doneWakeUp = Semaphore()
  /// How many threads wait for `doneWakeUp`, which is posted only while one does.
  private let waiters = Atomic<Int>(0)
  private var thread: Thread?
  /// Moves particles; nil in a host without threads.
  private var scene: SceneThread?
  /// Frees plans; nil in a host without threads.
  private var releases: WorkThread?
  /// [frame] The plan whose records are taken.
  private(set) var current: CompiledPlan?
  /// [frame] Plans that the callback has left, but whose last record is not taken yet.
  private var leftPlans: Set<UnsafeMutablePointer<Plan>> = []
  /// [frame] Where the last frame ended, in samples of the timeline.
  private(set) var lastSample: Int64 = 0
  /// [frame] Converts samples of the running plan to seconds.
  private var timeline: Timeline?
  /// Whether the master or the blackout has moved, and the frame thread has not noticed yet.
  let hasDimmerMoved = Atomic<Bool>(false)
  /// [frame] The newest frame when the master or the blackout was last moved; nil once another frame has followed.
  var dimmedFrame: Int64?
  /// [frame] When the next frame without a callback is due, in nanoseconds of the monotonic clock; 0: now.
  var nextStalled: UInt64 = 0
  /// [frame] Whether a frame was sent, or dark values before the first cycle.
  var hasSent = false
  /// [frame] Notified after every frame.
  let observers: [any FrameObserver]

  /// How long the end of a show waits for devices to take their last packets, in seconds, for all together.
  private static let flushTimeout = 0.25

  /// Whether every frame is sent even if others wait behind it, so that the packets do not depend on delays.
  private let sendsEvery: Bool

  /// Makes an object whose thread is not started yet.
  public init(
    exchange: UnsafeMutablePointer<PlanExchange>, observers: [any FrameObserver], sendsEvery: Bool = false
  ) {
    self.sendsEvery = sendsEvery
    self.exchange = exchange
    self.observers = observers
  }

  // MARK: - Other threads

  /// Offers a plan to the callback; it is taken at the next frame's start. [control]
  public func offer(_ plan: CompiledPlan) {
    let unused = lock.withLock {
      plans.append(plan)
      return remove(exchange.pointee.offer(plan.plan))
    }
    // Freed outside the lock: freeing may wait for a disk, and the frame thread must not wait for the lock
    // meanwhile.
    withExtendedLifetime(unused) {}
  }

  /// Takes back a plan that the callback has not taken. No plan then follows the running one, so its lights go out.
  /// [any]
  func withdraw() {
    let unused = lock.withLock { remove(exchange.pointee.withdraw()) }
    withExtendedLifetime(unused) {}
  }

  /// Call it under the lock.
  private func remove(_ unused: UnsafeMutablePointer<Plan>?) -> CompiledPlan? {
    guard let index = plans.firstIndex(where: { $0.plan == unused }) else { return nil }
    return plans.remove(at: index)
  }

  /// Starts the threads; throws where the system gives none. [control]
  public func start() throws {
    scene = try SceneThread()
    releases = try WorkThread("plans")
    thread = try Thread.required("frames", as: Thread.Options(realTimePriority: 5, hasFinestTimers: true)) {
      [self] in
      while !isStopping.load(ordering: .acquiring) {
        wait()
        // Read before the records are taken, so that no record older than the stalled frames can follow them.
        let isStalled = stalling.withLock { self.isStalled }
        release(takeAll())
        dimNow()
        makeStalledFrames(isStalled)
        for observer in observers { observer.turned(hasSent: hasSent) }
      }
      drain()
    }
  }

  /// Ends the thread after it has taken all records, and puts out the lights of the last plan for good. It frees
  /// nothing: a callback may still run, though its records are no longer taken. A second caller waits for the first.
  /// After a crash the frame thread may be the one that crashed; then only the dark values are sent. Any thread but
  /// the frame thread.
  public func darken(isCrash: Bool = false) {
    ending.withLock {
      guard !isDark else { return }
      isDark = true
      isStopping.store(true, ordering: .releasing)
      wakeUp.post()
      if isCrash, thread?.join(within: 0.3) == false {
        if let current {
          current.frames.endAlone(at: current.frames.timeline.seconds(at: lastSample))
          current.frames.flush(by: .after(seconds: Self.flushTimeout))
        }
        return
      }
      thread?.join()
      thread = nil
      drain()
      // Between two plans the next one is ended as well: the plan before has left on the lights that it keeps.
      let last = [current].compactMap(\.self) + (lastSample > 0 ? lock.withLock { plans } : [])
      for plan in last { plan.frames.end(at: plan.frames.timeline.seconds(at: lastSample)) }
      // The process may end before the threads of devices have run.
      let deadline = Deadline.after(seconds: Self.flushTimeout)
      for plan in last { plan.frames.flush(by: deadline) }
      // Last, because a step of the particles may take long.
      scene?.stop()
      releases?.end()
    }
  }

  /// Ends the show once no callback runs any more: puts out the lights and frees all plans. [control]
  public func stop() {
    darken()
    current = nil
    lock.withLock { plans.removeAll() }
  }

  /// Sets whether the host runs faster than real time. [any]; in freewheel [audio], too.
  public func setFreewheeling(_ is: Bool) { isFreewheeling.store(`is`, ordering: .relaxed) }

  /// Sets whether no callback runs. Frames then come by a timer, silent and idle. [any]
  public func setStalled(_ is: Bool) { stalling.withLock { isStalled = `is` } }

  /// Whether a callback runs, as far as the host has reported. [any]
  public var hasCallback: Bool { stalling.withLock { !isStalled } }

  /// Lets the frame thread send a master or a blackout that has moved, at once: it waits neither for the end of the
  /// frame nor for a host that hangs. [any]
  public func dim() {
    hasDimmerMoved.store(true, ordering: .releasing)
    wakeUp.post()
  }

  /// The last frame that the frame nodes have finished. [any]
  public var doneFrame: Int64 { done.load(ordering: .acquiring) }

  /// Waits until the frame nodes have finished frame `frame`, for at most 0.5 s; for hosts that are not in real time.
  /// [audio] calls it in freewheel only.
  public func waitUntilDone(_ frame: Int64) {
    let deadline = Deadline.after(seconds: 0.5)
    waiters.add(1, ordering: .sequentiallyConsistent)
    while done.load(ordering: .acquiring) < frame, !deadline.isOver, !isStopping.load(ordering: .relaxed) {
      _ = doneWakeUp.wait(seconds: 0.05)
    }
    waiters.subtract(1, ordering: .relaxed)
  }

  /// Whether the callback runs `plan`. [any]
  func hasTaken(_ plan: CompiledPlan) -> Bool {
    currentAddress.load(ordering: .acquiring) == UInt(bitPattern: plan.plan)
  }

  /// Waits until the callback runs `plan`, for at most `seconds`, and while `isWanted` returns true. Returns whether
  /// it runs. [control]
  public func waitUntilTaken(
    _ plan: CompiledPlan, seconds: Double, while isWanted: () -> Bool = { true }
  ) -> Bool {
    let deadline = Deadline.after(seconds: seconds)
    waiters.add(1, ordering: .sequentiallyConsistent)
    defer { waiters.subtract(1, ordering: .relaxed) }
    while !hasTaken(plan) {
      // Without a callback no plan is taken.
      if deadline.isOver || !isWanted() || !hasCallback { return false }
      _ = doneWakeUp.wait(seconds: 0.02)
    }
    return true
  }

  // MARK: - [frame]

  /// Waits for a wake-up: 2 ms while stalled, 10 ms while a moved dimmer is being sent, otherwise 50 ms at most.
  private func wait() {
    _ = wakeUp.wait(seconds: stalling.withLock { isStalled } ? 0.002 : dimmedFrame == nil ? 0.05 : 0.01)
  }

  /// Takes all records that wait. A host without threads calls it, too. [frame]
  public func drain() { _ = takeAll() }

  /// Frees plans on another thread: freeing may wait for a disk, which must not delay the lights.
  private func release(_ plans: consuming [CompiledPlan]) {
    if !plans.isEmpty { releases?.perform { [plans] in withExtendedLifetime(plans) {} } }
  }

  /// Takes all records that wait. Returns the plans that have ended.
  private func takeAll() -> [CompiledPlan] {
    var ended: [CompiledPlan] = []
    while true {
      // The callback leaves a plan after its last record, so plans are collected before records are read. It may
      // have left several since the last call: `leftPlans` holds those whose records are not taken yet.
      leftPlans.formUnion(exchange.pointee.collect())
      if let current {
        take(current)
        guard leftPlans.remove(current.plan) != nil else { return ended }
        if let last = current.plan.pointee.queue.last() { run(current, last) }
        let next = lock.withLock { plans.first }
        current.frames.end(at: current.frames.timeline.seconds(at: lastSample), kept: next?.keptObjects ?? [])
        ended.append(current)
        self.current = nil
      }
      guard let next = lock.withLock({ plans.first }) else { return ended }
      // The callback may leave a plan before its first frame ends; such a plan has no records, only an end.
      guard next.plan.pointee.queue.peek() != nil || leftPlans.contains(next.plan) else { return ended }
      lock.withLock { _ = plans.removeFirst() }
      if let timeline { next.frames.timeline = timeline.with(rate: next.plan.pointee.rate, from: lastSample) }
      timeline = next.frames.timeline
      current = next
      currentAddress.store(UInt(bitPattern: next.plan), ordering: .releasing)
    }
  }

  private func take(_ plan: CompiledPlan) {
    while let record = plan.plan.pointee.queue.peek() {
      run(plan, record)
      plan.plan.pointee.queue.pop()
    }
  }

  private func run(_ plan: CompiledPlan, _ record: Record) {
    let waiting = sendsEvery ? 0 : max(0, plan.plan.pointee.queue.waiting() - 1)
    for observer in observers { observer.begins(plan, record.header.pointee) }
    plan.frames.run(record, waiting: waiting, isFreewheeling: isFreewheeling.load(ordering: .relaxed))
    finish(plan, record.header.pointee)
  }

  func finish(_ plan: CompiledPlan, _ header: RecordHeader) {
    lastSample = header.endSample
    hasSent = true
    if let scene { scene.ring(plan) } else { plan.advanceScene() }
    for observer in observers { observer.saw(plan, header) }
    done.store(header.frame, ordering: .releasing)
    if waiters.load(ordering: .sequentiallyConsistent) > 0 { doneWakeUp.post() }
  }
}

/// Observes every frame after its nodes have run: files of levels, the screen. [frame]
public protocol FrameObserver: AnyObject, Sendable {
  /// Called before the nodes of a frame run.
  func begins(_ plan: CompiledPlan, _ header: RecordHeader)
  /// Called after the nodes of a frame have run.
  func saw(_ plan: CompiledPlan, _ header: RecordHeader)
  /// Called at least 20 times a second, after the thread has taken all waiting records, even if there were none.
  /// `hasSent` is true once anything has been sent. It is not called where frames have no thread.
  func turned(hasSent: Bool)
}

extension FrameObserver {
  /// Does nothing.
  public func begins(_ plan: CompiledPlan, _ header: RecordHeader) {}
  /// Does nothing.
  public func turned(hasSent: Bool) {}
}
