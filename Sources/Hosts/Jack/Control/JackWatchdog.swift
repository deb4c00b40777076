import Glibc
import Graphs
import Realtime
import Synchronization
import System

/// Sees that no cycle runs, or that the server does not answer, while the control thread may be held up by that very
/// server. Runs on a thread of its own, `jack watch`.
extension JackHost {
  /// Without a cycle for so long, and two periods, the server counts as stalled; in seconds.
  static let stallLimit = 0.2
  /// The same in freewheel, where a cycle takes as long as it takes.
  static let freewheelLimit = 3.0
  /// After how long without an answer that is told, in seconds.
  static let answerLimit = 2.2

  /// What is known of a stall, under the gate.
  struct Stall {
    /// When it was noticed, in seconds of the monotonic clock.
    var began: Double
    /// How many cycles the callback had run by then.
    var cycles: UInt64
    /// Whether those who must know have been told.
    var isReported = false
  }

  /// The thread that watches, until the host stops.
  func watch() {
    var reported: UInt64 = 0
    while !isStopping.load(ordering: .sequentiallyConsistent) {
      let before = MonotonicClock.seconds
      usleep(50_000)
      let now = MonotonicClock.seconds
      // Whoever was held up himself cannot tell who else was: this process may have been stopped.
      guard now - before < 0.15 else { continue }
      if noticeStall(now) {
        // Not under the gate: they have locks of their own, under which they come here.
        onStall?()
        gate.withLock { stall?.isReported = true }
        // The control thread looks for the return of the cycles.
        common.doorbell.post()
        report(.stalled)
      }
      noticeSilence(now, &reported)
    }
  }

  /// Declares a stall when no cycle runs. True when it is a new one.
  private func noticeStall(_ now: Double) -> Bool {
    gate.withLock {
      guard let current, stall == nil, !isStopping.load(ordering: .relaxed), current.loss == nil else {
        return false
      }
      let activation = current.activation.load(ordering: .relaxed)
      guard activation > 0 else { return false }
      let counters = common.counters
      let last = max(counters.pointee.lastCycle.load(ordering: .relaxed), activation)
      let periods = 2 * Double(period) / Double(max(1, counters.pointee.rate.load(ordering: .relaxed)))
      let limit = isFreewheeling ? Self.freewheelLimit : Self.stallLimit + periods
      guard now - Double(last) * 1e-9 > limit else { return false }
      // A cycle that takes long, perhaps because it waits in freewheel, is none that is missing.
      guard current.callback.pointee.shut(within: 0.01) else {
        current.callback.pointee.open()
        return false
      }
      stall = Stall(began: now, cycles: current.callback.pointee.cycles.load(ordering: .relaxed))
      return true
    }
  }

  /// Tells once for each request that the server does not answer it; `reported` is the last it was told of.
  private func noticeSilence(_ now: Double, _ reported: inout UInt64) {
    let since = common.counters.pointee.askingSince.load(ordering: .relaxed)
    guard since != 0, since != reported, now - Double(since) * 1e-9 > Self.answerLimit else { return }
    reported = since
    // While it was lost its return is waited for anyway.
    guard !lock.withLock({ board.first == .opened && !board.observation.hasServer }) else { return }
    report(.noAnswer(server: serverName, isLocked: JackMetadata.isLocked()))
  }
}
