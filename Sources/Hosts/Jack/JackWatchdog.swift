import Glibc
import Graphs
import Realtime
import Synchronization
import System

/// The watchdog of a JACK host. It notices that no cycle runs, or that the server does not answer, while the control
/// thread may hang in a call to that server. It has a thread of its own, `jack watch`.
extension JackHost {
  /// The time without a cycle that counts as a stall, in seconds; two periods are added.
  static let stallLimit = 0.2
  /// The time without a cycle that counts as a stall in freewheel, in seconds. No periods are added, because a cycle
  /// has no deadline there.
  static let freewheelLimit = 3.0
  /// The time without an answer after which it is reported, in seconds.
  static let answerLimit = 2.2

  /// A stall. Under the gate.
  struct Stall {
    /// When it was noticed, in seconds of the monotonic clock.
    var began: Double
    /// How many cycles the callback had run by then.
    var cycles: UInt64
    /// Whether it has been reported.
    var isReported = false
  }

  /// Watches until the host stops.
  func watch() {
    var reported: UInt64 = 0
    while !isStopping.load(ordering: .sequentiallyConsistent) {
      let before = MonotonicClock.seconds
      let pause = pause(before)
      guard !stopping.wait(seconds: pause) else { continue }
      let now = MonotonicClock.seconds
      // If this thread itself was late, the whole process may have been stopped, and no limit means anything.
      guard now - before < pause + 0.1 else { continue }
      if noticeStall(now) {
        // The gate is not held here: `onStall` takes locks, and other threads take the gate while they hold these
        // locks.
        onStall?()
        gate.withLock { stall?.isReported = true }
        // The control thread looks for the return of the cycles.
        common.wakeUp.post()
        report(.stalled)
      }
      noticeSilence(now, &reported)
    }
  }

  /// Seconds until the next check, 0.01…0.2: the time until a stall could begin. Each cycle defers that time, so the
  /// thread wakes five times a second while cycles run. It is 0.05 during a request, during a stall and without a
  /// client.
  private func pause(_ now: Double) -> Double {
    guard common.counters.pointee.askingSince.load(ordering: .relaxed) == 0 else { return 0.05 }
    let moment = gate.withLock { stall == nil ? current.flatMap(stallMoment) : nil }
    return moment.map { min(0.2, max(0.01, $0 - now)) } ?? 0.05
  }

  /// When a client without a cycle counts as stalled, in seconds of the monotonic clock; nil for a client that is not
  /// active or has lost its server. Under the gate.
  private func stallMoment(_ client: JackClient) -> Double? {
    let activation = client.activation.load(ordering: .relaxed)
    guard activation > 0, client.loss == nil else { return nil }
    let counters = common.counters
    let last = max(counters.pointee.lastCycle.load(ordering: .relaxed), activation)
    let periods = 2 * Double(period) / Double(max(1, counters.pointee.rate.load(ordering: .relaxed)))
    return Double(last) * 1e-9 + (isFreewheeling ? Self.freewheelLimit : Self.stallLimit + periods)
  }

  /// Declares a stall where no cycle runs. Returns whether there is a new one.
  private func noticeStall(_ now: Double) -> Bool {
    gate.withLock {
      guard let current, stall == nil, !isStopping.load(ordering: .relaxed),
        let moment = stallMoment(current), now > moment
      else { return false }
      // A cycle that takes long is not a missing one: in freewheel it may wait.
      guard current.callback.pointee.shut(within: 0.01) else {
        current.callback.pointee.open()
        return false
      }
      stall = Stall(began: now, cycles: current.callback.pointee.cycles.load(ordering: .relaxed))
      return true
    }
  }

  /// Reports that the server does not answer, once per request; on stand-by once in all. `reported` is the start of
  /// the last request that was reported.
  private func noticeSilence(_ now: Double, _ reported: inout UInt64) {
    let since = common.counters.pointee.askingSince.load(ordering: .relaxed)
    guard since != 0, since != reported, now - Double(since) * 1e-9 > Self.answerLimit else { return }
    let isFirst = reported == 0
    reported = since
    guard isFirst || !isHeld else { return }
    // After a loss the host waits for the server anyway.
    guard !lock.withLock({ shared.first == .opened && !shared.observation.hasServer }) else { return }
    report(.noAnswer(server: serverName, isLocked: JackMetadata.isLocked()))
  }
}
