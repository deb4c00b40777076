import Glibc
import Realtime
import Synchronization
import System

/// The frame clock's thread: takes every record in order, runs the frame nodes, hands over from plan to plan.
public final class FrameThread: @unchecked Sendable {
  /// Posted by the callback after every cycle that finished a frame.
  public var bell: UnsafeMutablePointer<sem_t> { rung.pointer }
  private let rung = Semaphore()
  private let exchange: UnsafeMutablePointer<PlanExchange>
  /// Guards `plans`.
  let lock = Lock()
  private(set) var plans: [CompiledPlan] = []
  private let isStopping = Atomic<Bool>(false)
  /// Held by the thread that ends the lights.
  private let ending = Lock()
  /// Under `ending`: whether the lights are out for good.
  private var isDark = false
  private let isFreewheeling = Atomic<Bool>(false)
  /// Held while a stalled frame is made, so that none comes after `setStalled(false)`.
  let stalling = Lock()
  private(set) var isStalled = false
  let done = Atomic<Int64>(0)
  /// The address of the plan whose records are being taken.
  private let taken = Atomic<UInt>(0)
  private let doneBell = Semaphore()
  /// How many threads wait for that semaphore: it is posted only while one does.
  private let waiters = Atomic<Int>(0)
  private var thread: Thread?
  /// Where particles move when there are threads at all.
  private var scene: SceneThread?
  /// Where plans are freed then.
  private var releases: WorkThread?
  /// [frame] The plan whose records are being taken.
  private(set) var current: CompiledPlan?
  /// [frame] Plans that the callback has left and whose last record was not taken yet.
  private var left: Set<UnsafeMutablePointer<Plan>> = []
  private(set) var lastSample: Int64 = 0
  /// [frame] Where the samples of the running plan are in seconds.
  private var timeline: Timeline?
  let isDimmed = Atomic<Bool>(false)
  /// [frame] The newest frame when the master or the blackout was moved; nil once another has followed.
  var dimmedFrame: Int64?
  var nextStalled: UInt64 = 0
  /// [frame] Whether a frame has gone out, or what is dark before the first cycle.
  var hasSent = false
  /// [frame] Notified after every frame.
  let observers: [any FrameObserver]

  /// How long the end waits for devices to take their dark, all together.
  private static let lastSeconds = 0.25

  /// Whether what goes out is the same however late a frame is: every frame is sent as if none waited behind it.
  private let sendsEvery: Bool

  /// Makes a thread that is not running yet.
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
    // Freed only here: that may have to wait for a disk, and the frame thread may not wait for the lock meanwhile.
    withExtendedLifetime(unused) {}
  }

  /// Takes back a plan that the callback has not taken: nothing follows the one that runs, so its lights go out. [any]
  func withdraw() {
    let unused = lock.withLock { remove(exchange.pointee.withdraw()) }
    withExtendedLifetime(unused) {}
  }

  /// Under the lock.
  private func remove(_ unused: UnsafeMutablePointer<Plan>?) -> CompiledPlan? {
    guard let index = plans.firstIndex(where: { $0.plan == unused }) else { return nil }
    return plans.remove(at: index)
  }

  /// Starts the thread; throws where there is none. [control]
  public func start() throws {
    scene = try SceneThread()
    releases = try WorkThread("plans")
    thread = try Thread.required("frames", as: Thread.Options(realTimePriority: 5, hasFinestTimers: true)) {
      [self] in
      while !isStopping.load(ordering: .acquiring) {
        wait()
        // Asked before the records are taken: then none can come behind that is older than the stalled frames.
        let isStalled = stalling.withLock { self.isStalled }
        release(takeAll())
        dimNow()
        makeStalledFrames(isStalled)
        for watcher in observers { watcher.turned(hasSent: hasSent) }
      }
      drain()
    }
  }

  /// Ends the thread after what is there has been taken, and puts the last plan's lights out for good. Nothing is freed:
  /// a callback may still run, though nobody takes its records any more. Any thread but the frame thread; one that comes
  /// second waits for the first. After a crash the frame thread may be the one that has crashed: then only the zeros are
  /// sent.
  public func darken(isCrash: Bool = false) {
    ending.withLock {
      guard !isDark else { return }
      isDark = true
      isStopping.store(true, ordering: .releasing)
      rung.post()
      if isCrash, thread?.join(within: 0.3) == false {
        if let current {
          current.frames.endAlone(at: current.frames.timeline.seconds(at: lastSample))
          current.frames.flush(by: .after(seconds: Self.lastSeconds))
        }
        return
      }
      thread?.join()
      thread = nil
      drain()
      // Between two plans it is the next: the lights that it keeps were left on for it.
      let last = [current].compactMap(\.self) + (lastSample > 0 ? lock.withLock { plans } : [])
      for plan in last { plan.frames.end(at: plan.frames.timeline.seconds(at: lastSample)) }
      // The process may be over before the threads of devices have had their turn.
      let deadline = Deadline.after(seconds: Self.lastSeconds)
      for plan in last { plan.frames.flush(by: deadline) }
      // Only now, as particles that are on their way may take long.
      scene?.stop()
      releases?.end()
    }
  }

  /// The end, once no callback runs any more: the lights go out, and all that is left is freed. [control]
  public func stop() {
    darken()
    current = nil
    lock.withLock { plans.removeAll() }
  }

  /// Says whether the host runs faster than time. [any]; in freewheel [audio] too.
  public func setFreewheeling(_ is: Bool) { isFreewheeling.store(`is`, ordering: .relaxed) }

  /// Says that no callback runs (frames then come by a timer, silent and idle), or that it runs again. [any]
  public func setStalled(_ is: Bool) { stalling.withLock { isStalled = `is` } }

  /// Whether a callback runs, as far as the host has said. [any]
  public var hasCallback: Bool { stalling.withLock { !isStalled } }

  /// The master or the blackout was moved: the lights follow at once, however long the frame or a host that hangs.
  /// [any]
  public func dim() {
    isDimmed.store(true, ordering: .releasing)
    rung.post()
  }

  /// The last frame that the frame nodes have done. [any]
  public var doneFrame: Int64 { done.load(ordering: .acquiring) }

  /// Waits until the frame nodes have done frame `frame`, at most half a second; for hosts that are not in real time.
  /// Called from [audio], in freewheel alone.
  public func waitUntilDone(_ frame: Int64) {
    let deadline = Deadline.after(seconds: 0.5)
    waiters.add(1, ordering: .sequentiallyConsistent)
    while done.load(ordering: .acquiring) < frame, !deadline.isOver, !isStopping.load(ordering: .relaxed) {
      _ = doneBell.wait(seconds: 0.05)
    }
    waiters.subtract(1, ordering: .relaxed)
  }

  /// Whether the callback runs `plan`. [any]
  func hasTaken(_ plan: CompiledPlan) -> Bool {
    taken.load(ordering: .acquiring) == UInt(bitPattern: plan.plan)
  }

  /// Waits until the callback runs `plan`, at most `seconds` and as long as that `isWanted`; says whether it does.
  /// [control]
  public func waitUntilTaken(
    _ plan: CompiledPlan, seconds: Double, while isWanted: () -> Bool = { true }
  ) -> Bool {
    let deadline = Deadline.after(seconds: seconds)
    waiters.add(1, ordering: .sequentiallyConsistent)
    defer { waiters.subtract(1, ordering: .relaxed) }
    while !hasTaken(plan) {
      // While no callback runs nobody can take it.
      if deadline.isOver || !isWanted() || !hasCallback { return false }
      _ = doneBell.wait(seconds: 0.02)
    }
    return true
  }

  // MARK: - [frame]

  private func wait() {
    _ = rung.wait(seconds: stalling.withLock { isStalled } ? 0.002 : dimmedFrame == nil ? 0.05 : 0.01)
  }

  /// Takes everything that is there. Also called by a host without threads, on its own. [frame]
  public func drain() { _ = takeAll() }

  /// Frees plans elsewhere: that may have to wait for a disk, and the lights may not.
  private func release(_ plans: consuming [CompiledPlan]) {
    if !plans.isEmpty { releases?.perform { [plans] in withExtendedLifetime(plans) {} } }
  }

  /// Takes everything that is there; gives the plans that have ended.
  private func takeAll() -> [CompiledPlan] {
    var ended: [CompiledPlan] = []
    while true {
      // First the plans that were left, then the records: a plan is left after its last record. Several may have been
      // left since the last time, so they are remembered until it is their turn.
      left.formUnion(exchange.pointee.collect())
      if let current {
        take(current)
        guard left.remove(current.plan) != nil else { return ended }
        if let last = current.plan.pointee.queue.last() { run(current, last) }
        let next = lock.withLock { plans.first }
        current.frames.end(at: current.frames.timeline.seconds(at: lastSample), kept: next?.keptObjects ?? [])
        ended.append(current)
        self.current = nil
      }
      guard let next = lock.withLock({ plans.first }) else { return ended }
      // One that was left before its first frame was over has no records, only an end.
      guard next.plan.pointee.queue.peek() != nil || left.contains(next.plan) else { return ended }
      lock.withLock { _ = plans.removeFirst() }
      if let timeline { next.frames.timeline = timeline.going(on: next.plan.pointee.rate, from: lastSample) }
      timeline = next.frames.timeline
      current = next
      taken.store(UInt(bitPattern: next.plan), ordering: .releasing)
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
    for watcher in observers { watcher.saw(plan, header) }
    done.store(header.frame, ordering: .releasing)
    if waiters.load(ordering: .sequentiallyConsistent) > 0 { doneBell.post() }
  }
}

/// Sees every frame after its nodes have run: files of levels, the screen. [frame]
public protocol FrameObserver: AnyObject, Sendable {
  /// The nodes of a frame are about to run.
  func begins(_ plan: CompiledPlan, _ header: RecordHeader)
  /// Looks at the levels of a frame.
  func saw(_ plan: CompiledPlan, _ header: RecordHeader)
  /// The thread has done what there was to do, twenty times a second or more often, whether or not that was a frame.
  /// `hasSent` says that something has gone out by now. Not called where frames have no thread.
  func turned(hasSent: Bool)
}

extension FrameObserver {
  /// Nothing.
  public func begins(_ plan: CompiledPlan, _ header: RecordHeader) {}
  /// Nothing.
  public func turned(hasSent: Bool) {}
}
