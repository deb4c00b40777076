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
    // Values that the rate limit of a target holds back follow as soon as it allows, at the latest in the next frame.
    if frame != done.load(ordering: .relaxed) { dimmedFrame = nil }
    current?.frames.dim(at: MonotonicClock.now)
  }

  /// Makes frames by the clock while no callback runs, so that levels fall, lights go out and particles die. Before
  /// the first cycle there are no frames, but dark values are sent in the same way.
  func makeStalledFrames(_ wasStalled: Bool) {
    stalling.withLock {
      guard isStalled && wasStalled, let plan = current ?? lock.withLock({ plans.first }), isDue(plan) else {
        if !(isStalled && wasStalled) { nextStalled = 0 }
        return
      }
      if current != nil {
        makeStalledFrame(plan)
      } else {
        plan.frames.rest(for: 1 / plan.fps.perSecond)
        hasSent = true
      }
    }
  }

  /// Whether the next frame by the clock is due.
  private func isDue(_ plan: CompiledPlan) -> Bool {
    let length = UInt64(1e9 / plan.fps.perSecond)
    let now = MonotonicClock.now
    if nextStalled == 0 || now > nextStalled + 10 * length { nextStalled = now }
    guard now >= nextStalled else { return false }
    nextStalled += length
    return true
  }

  /// Runs the plan for one frame in which all sources are silent.
  private func makeStalledFrame(_ current: CompiledPlan) {
    let now = MonotonicClock.now
    let frame = done.load(ordering: .relaxed) + 1
    let samples = UInt64(Double(current.plan.pointee.rate) / current.fps.perSecond)
    var header = RecordHeader()
    header.frame = frame
    header.endSample = lastSample
    header.time = now
    header.samples = samples
    header.frames = 1
    header.commands = .max
    for observer in observers { observer.begins(current, header) }
    current.frames.runStalled(frame: frame, at: lastSample, time: now, samples: samples)
    finish(current, header)
  }
}
