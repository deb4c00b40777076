import CRealtime
public import Engine
import Graphs
import Realtime
import Synchronization
import System

/// Runs the cycles by a timer, in real time, without a sound server: inputs are not connected, outputs lead nowhere.
public final class ClockHost: Host, @unchecked Sendable {
  /// The sample rate in Hz.
  public let rate: Int
  /// Always true: the timer follows the clock.
  public var isRealTime: Bool { true }
  /// The name and the rate; there is no server.
  public var status: HostStatus { HostStatus(name: "clock", manner: "by the clock", rate: rate) }
  /// Samples of a cycle.
  private let period: Int
  private let timer: CycleTimer
  private let runner: UnsafeMutablePointer<CycleRunner>
  private let frames: FrameThread
  private let isStopping = Atomic<Bool>(false)
  private var thread: Thread?

  /// Makes a host that runs `period` samples at a time.
  public init(rate: Int, period: Int = 256, engine: UnsafeMutablePointer<AudioEngine>, frames: FrameThread) {
    self.rate = rate
    self.period = max(1, min(8192, period))
    self.frames = frames
    timer = CycleTimer(rate: rate)
    runner = .allocate(capacity: 1)
    runner.initialize(to: CycleRunner(engine: engine, frameSemaphore: frames.frameSemaphore))
  }

  deinit {
    stop()
    runner.deinitialize(count: 1)
    runner.deallocate()
  }

  /// Does nothing: there is no port to connect to.
  public func provide(_ ports: [HostPort]) {}
  /// Does nothing: no port was made.
  public func retire(except ports: [HostPort]) {}

  /// Starts the thread of the timer.
  public func start() throws {
    isStopping.store(false, ordering: .relaxed)
    thread = try Thread.required("clock", as: Thread.Options(realTimePriority: 10, hasFinestTimers: true)) {
      [self] in
      var timer = timer
      timer.begin(at: MonotonicClock.now)
      while !isStopping.load(ordering: .relaxed) {
        MonotonicClock.sleep(until: timer.due(after: period))
        vg_enter_callback()
        _ = runner.pointee.run(UInt32(period))
        vg_leave_callback()
        timer.passed(period, now: MonotonicClock.now)
      }
    }
  }

  /// Ends the thread.
  public func stop() {
    isStopping.store(true, ordering: .relaxed)
    thread?.join()
    thread = nil
  }
}

/// Computes when samples are due from their number since an anchor, so that rounding errors do not add up. A host
/// that is late by up to 100 ms catches up. Beyond that the anchor moves to the present. No sample is skipped.
struct CycleTimer {
  private let rate: UInt64
  /// In nanoseconds of the monotonic clock.
  private var anchor: UInt64 = 0
  /// Samples since the anchor.
  private var samples: UInt64 = 0

  init(rate: Int) { self.rate = UInt64(rate) }

  mutating func begin(at time: UInt64) {
    anchor = time
    samples = 0
  }

  /// When the end of the next `count` samples is due, in nanoseconds of the monotonic clock.
  func due(after count: Int) -> UInt64 {
    let total = samples + UInt64(count)
    return anchor + total / rate * 1_000_000_000 + total % rate * 1_000_000_000 / rate
  }

  /// Counts samples that were processed. `now` in nanoseconds of the monotonic clock.
  mutating func passed(_ count: Int, now: UInt64) {
    samples += UInt64(count)
    let end = due(after: 0)
    if now > end + 100_000_000 { begin(at: now) }
  }
}
