import Engine
import Graphs
import Hosts
import System

@testable import visgraph

/// A host that runs a frame whenever it is asked to, on the thread that asks. [one]
final class SteppedHost: Host, @unchecked Sendable {
  let rate: Int
  let isRealTime = false
  let runsFrames = true
  private let show: Show
  private let offline: OfflineHost

  /// Runs the cycles of a show.
  init(_ show: Show, _ rate: Int) {
    (self.show, self.rate) = (show, rate)
    offline = OfflineHost(engine: show.engine, frames: show.frames, cycle: 1024)
  }

  var status: HostStatus { HostStatus(name: "clock", manner: "by the clock", rate: rate) }
  func provide(_ ports: [HostPort]) {}
  func retire(except ports: [HostPort]) {}
  func start() {}
  func stop() {}

  /// Runs the next frame to its end; gives its length in seconds.
  func runFrame() -> Double {
    guard let plan = show.plan else { return 0 }
    let begin = show.engine.pointee.sample
    let frames = Double(show.engine.pointee.finished + 1)
    let end = Int64((frames * Double(rate) / plan.fps.perSecond).rounded(.toNearestOrAwayFromZero))
    // What was asked of players since the last frame is done in this one.
    for stream in plan.streams { stream.fill(0) }
    offline.run(plan.streams, to: { end })
    return Double(end - begin) / Double(rate)
  }
}

/// The clocks of a run that is advanced by hand. [any]
final class SteppedClock: Sendable {
  private let start = MonotonicClock.seconds
  private let begin: Int
  private let passed = Locked(0.0)
  private let ahead: Locked<Int>

  /// Stands at a second since 1970, whose local time is `offset` seconds more.
  init(second: Int, offset: Int) { (begin, ahead) = (second, Locked(offset)) }

  /// Seconds of a clock that is never set.
  var seconds: Double { start + passed.withLock { $0 } }
  /// Seconds since 1970, rounded down.
  var second: Int { begin + Int(passed.withLock { $0 } + 1e-6) }
  /// What the local time is ahead of UTC, in seconds.
  var offset: Int {
    get { ahead.withLock { $0 } }
    set { ahead.withLock { $0 = newValue } }
  }

  /// Lets time pass, in seconds.
  func pass(_ seconds: Double) { passed.withLock { $0 += seconds } }
}
