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
  /// After how long without an answer that is reported, in seconds.
  static let answerLimit = 2.2

  /// What is known of a stall, under the gate.
  struct Stall {
    /// When it was noticed, in seconds of the monotonic clock.
    var began: Double
    /// How many cycles the callback had run by then.
    var cycles: UInt64
    /// Whether it has been reported.
    var isReported = false
  }

  /// The thread that watches, until the host stops.
  func watch() {
    var reported: UInt64 = 0
    while !isStopping.load(ordering: .sequentiallyConsistent) {
      let before = MonotonicClock.seconds
      let pause = pause(before)
      guard !stopping.wait(seconds: pause) else { continue }
      let now = MonotonicClock.seconds
      // A thread that was held up itself cannot tell what else was: this process may have been stopped.
      guard now - before < pause + 0.1 else { continue }
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

  /// How long there is nothing to see, in seconds: until a stall would be one. Cycles that run put that off, so a watch of
  /// what is well wakes five times a second.
  private func pause(_ now: Double) -> Double {
    guard common.counters.pointee.askingSince.load(ordering: .relaxed) == 0 else { return 0.05 }
    let moment = gate.withLock { stall == nil ? current.flatMap(stallMoment) : nil }
    return moment.map { min(0.2, max(0.01, $0 - now)) } ?? 0.05
  }

  /// When a client that runs no cycle counts as stalled, in seconds of the monotonic clock; nil where it does not run, or
  /// is lost. Under the gate.
  private func stallMoment(_ client: JackClient) -> Double? {
    let activation = client.activation.load(ordering: .relaxed)
    guard activation > 0, client.loss == nil else { return nil }
    let counters = common.counters
    let last = max(counters.pointee.lastCycle.load(ordering: .relaxed), activation)
    let periods = 2 * Double(period) / Double(max(1, counters.pointee.rate.load(ordering: .relaxed)))
    return Double(last) * 1e-9 + (isFreewheeling ? Self.freewheelLimit : Self.stallLimit + periods)
  }

  /// Declares a stall when no cycle runs. True when it is a new one.
  private func noticeStall(_ now: Double) -> Bool {
    gate.withLock {
      guard let current, stall == nil, !isStopping.load(ordering: .relaxed),
        let moment = stallMoment(current), now > moment
      else { return false }
      // A cycle that takes long, perhaps because it waits in freewheel, is none that is missing.
      guard current.callback.pointee.shut(within: 0.01) else {
        current.callback.pointee.open()
        return false
      }
      stall = Stall(began: now, cycles: current.callback.pointee.cycles.load(ordering: .relaxed))
      return true
    }
  }

  /// Reports once per request that the server does not answer it, and once in all where another host has the cycles;
  /// `reported` is the last that was reported.
  private func noticeSilence(_ now: Double, _ reported: inout UInt64) {
    let since = common.counters.pointee.askingSince.load(ordering: .relaxed)
    guard since != 0, since != reported, now - Double(since) * 1e-9 > Self.answerLimit else { return }
    let isFirst = reported == 0
    reported = since
    guard isFirst || !isHeld else { return }
    // While it was lost its return is waited for anyway.
    guard !lock.withLock({ board.first == .opened && !board.observation.hasServer }) else { return }
    report(.noAnswer(server: serverName, isLocked: JackMetadata.isLocked()))
  }
}
