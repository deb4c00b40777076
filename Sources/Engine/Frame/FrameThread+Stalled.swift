import Graphs
import Realtime
import Synchronization
import System

/// Sends values without a callback: a blackout at once, and frames by the clock while no callback runs. [frame]
extension FrameThread {
  /// Sends a master or a blackout that has moved, with the values of the newest frame.
  func dimNow() {
    if hasDimmerMoved.load(ordering: .relaxed), hasDimmerMoved.exchange(false, ordering: .acquiring) {
      dimmedFrame = done.load(ordering: .relaxed)
    }
    guard let frame = dimmedFrame else { return }
    // Sent again until another frame has followed: values that the rate limit of a target holds back go out as soon as it
    // allows.
    if frame != done.load(ordering: .relaxed) { dimmedFrame = nil }
    current?.frames.dim(at: MonotonicClock.now)
  }

  /// Makes frames by the clock while no callback runs, so that levels fall, lights go out and particles die. Before
  /// the first cycle there are no frames, but dark values are sent in the same way. `wasStalled`: whether no callback ran
  /// before the last records were taken.
  func makeStalledFrames(_ wasStalled: Bool) {
    stalling.withLock {
      guard isStalled && wasStalled else {
        nextStalled = 0
        return
      }
      guard let plan = current ?? lock.withLock({ plans.first }), takesNext(plan) else { return }
      if current != nil {
        makeStalledFrame(plan)
      } else {
        plan.frames.rest(for: 1 / plan.fps.perSecond)
        hasSent = true
      }
    }
  }

  /// Whether the next frame by the clock is due; the one after it is then due a frame later. After a delay of more than 10
  /// frames the clock begins anew.
  private func takesNext(_ plan: CompiledPlan) -> Bool {
    let length = UInt64(1e9 / plan.fps.perSecond)
    let now = MonotonicClock.now
    if nextStalled == 0 || now > nextStalled + 10 * length { nextStalled = now }
    guard now >= nextStalled else { return false }
    nextStalled += length
    return true
  }

  /// Runs the plan for one frame in which all sources are silent.
  private func makeStalledFrame(_ plan: CompiledPlan) {
    let now = MonotonicClock.now
    let frame = done.load(ordering: .relaxed) + 1
    let samples = UInt64(Double(plan.plan.pointee.rate) / plan.fps.perSecond)
    var header = RecordHeader()
    header.frame = frame
    header.endSample = lastSample
    header.time = now
    header.samples = samples
    header.frames = 1
    // All commands count as taken, because no callback takes them.
    header.commands = .max
    for observer in observers { observer.begins(plan, header) }
    plan.frames.runStalled(frame: frame, at: lastSample, time: now, samples: samples)
    finish(plan, header)
  }
}
