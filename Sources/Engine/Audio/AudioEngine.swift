import CRealtime
import Realtime

/// Runs plans: cuts every cycle at the ends of frames, publishes one record per frame, and changes plans between
/// frames.
///
/// Only the audio callback uses it. A host calls `advance` until the whole cycle has run. [audio]
public struct AudioEngine: ~Copyable {
  /// Passes new plans to the callback, and plans that it has left to the frame thread.
  let exchange: UnsafeMutablePointer<PlanExchange>
  let counters: UnsafeMutablePointer<EngineCounters>
  /// Passes commands at the starts of frames; nil where commands act as soon as they arrive.
  private let gate: UnsafeMutablePointer<CommandGateShared>?
  /// The argument of blocks, filled anew for each segment.
  private let cycle: UnsafeMutablePointer<vg_cycle>
  /// Where blocks write their values at the end of a frame.
  private let frameValues: UnsafeMutablePointer<vg_frame>
  /// The ports of `cycle` before the first segment.
  private let noPorts: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  /// The buffers of `cycle` before the first plan.
  private let noBuffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// The running plan; nil before the first.
  private var plan: UnsafeMutablePointer<Plan>?
  private var clock: FrameClock
  /// Samples processed, from 0: the timeline.
  public private(set) var sample: Int64 = 0
  /// Frames finished since the start.
  public private(set) var finished: Int64 = 0

  /// Makes an engine without a plan. [control]
  public init(
    exchange: UnsafeMutablePointer<PlanExchange>, counters: UnsafeMutablePointer<EngineCounters>,
    gate: UnsafeMutablePointer<CommandGateShared>? = nil
  ) {
    self.exchange = exchange
    self.counters = counters
    self.gate = gate
    noPorts = .allocate(capacity: 1)
    noPorts.initialize(to: nil)
    noBuffers = .allocate(capacity: 1)
    noBuffers.initialize(to: UnsafeMutablePointer(bitPattern: 64)!)
    cycle = .allocate(capacity: 1)
    cycle.initialize(
      to: vg_cycle(
        buffers: noBuffers, ownBuffers: noBuffers, ports: noPorts,
        counters: UnsafeMutableRawPointer(counters),
        offset: 0, count: 0,
        position: 0,
        length: 0, sample: 0, frame: 1))
    frameValues = .allocate(capacity: 1)
    let placeholder = UnsafeMutableRawPointer(noBuffers)
    frameValues.initialize(
      to: vg_frame(
        sums: placeholder.assumingMemoryBound(to: Double.self),
        peaks: placeholder.assumingMemoryBound(to: Float.self),
        sources: placeholder.assumingMemoryBound(to: UInt8.self), length: 0))
    clock = FrameClock(frame: 1, sample: 0, rate: 1, frames: 1, seconds: 1)
  }

  deinit {
    cycle.deallocate()
    frameValues.deallocate()
    noPorts.deallocate()
    noBuffers.deallocate()
  }

  /// Whether there is a plan to run. [audio]
  public var isRunning: Bool { plan != nil }

  /// The next frame's number. [audio]
  public var frame: Int64 { clock.frame }

  /// Runs one segment: at most `count` samples, at most `Cycle.longestSegment`, and at most to the end of the current
  /// frame. Returns how many samples it ran.
  ///
  /// `ports` are the host's port buffers by number, valid for the host's whole cycle. `offset` is the segment's first
  /// sample within them. `time` is now, in nanoseconds of the monotonic clock. [audio]
  @_noLocks
  public mutating func advance(
    ports: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>, offset: UInt32, count: UInt32, time: UInt64
  ) -> UInt32 {
    if offset == 0 { counters.pointee.longestCycle.rise(to: UInt64(count)) }
    let isNewFrame = sample == clock.begin
    if plan == nil || isNewFrame { takePlan() }
    guard let plan else { return count }
    if isNewFrame { beginFrame(plan) }
    let remaining = min(clock.end &- sample, Int64(Cycle.longestSegment))
    let length = remaining < Int64(count) ? UInt32(truncatingIfNeeded: remaining) : count
    cycle.pointee.ports = ports
    cycle.pointee.offset = offset
    cycle.pointee.count = length
    cycle.pointee.position = UInt32(truncatingIfNeeded: sample &- clock.begin)
    cycle.pointee.length = clock.length
    cycle.pointee.sample = sample
    cycle.pointee.frame = clock.frame
    plan.pointee.run(cycle)
    if isNewFrame, let gate { gate.pointee.end() }
    sample &+= Int64(length)
    counters.pointee.samples.add(UInt64(length))
    if sample == clock.end { finishFrame(plan, time) }
    return length
  }

  /// Applies the settings that take effect with this frame. `mutating` keeps the call from copying the engine.
  /// [audio]
  @_noLocks
  private mutating func beginFrame(_ plan: UnsafeMutablePointer<Plan>) {
    if let gate {
      gate.pointee.begin(at: sample)
      if !gate.pointee.isOpen { return }
    }
    plan.pointee.settings.take(into: plan.pointee.ops)
  }

  /// Takes the offered plan, if there is one. A plan with another sample rate or frame rate begins a new epoch.
  /// [audio]
  @_noLocks
  private mutating func takePlan() {
    guard let new = exchange.pointee.take() else { return }
    let old = plan
    plan = new
    cycle.pointee.buffers = new.pointee.buffers
    cycle.pointee.ownBuffers = new.pointee.ownBuffers
    guard let old else {
      clock = newEpoch(from: clock.frame)
      return
    }
    if old.pointee.rate != new.pointee.rate || old.pointee.frames != new.pointee.frames
      || old.pointee.seconds != new.pointee.seconds
    {
      clock = newEpoch(from: clock.frame)
    }
    exchange.pointee.retire(old)
  }

  /// The clock of an epoch that begins at the present sample, with the rates of the plan.
  @_noLocks
  private func newEpoch(from frame: Int64) -> FrameClock {
    guard let plan else { return clock }
    return FrameClock(
      frame: frame, sample: sample, rate: plan.pointee.rate, frames: plan.pointee.frames,
      seconds: plan.pointee.seconds)
  }

  /// Ends the frame: lets the blocks write their values into a record, and publishes it. [audio]
  @_noLocks
  private mutating func finishFrame(_ plan: UnsafeMutablePointer<Plan>, _ time: UInt64) {
    let record = plan.pointee.queue.next()
    record.header.pointee.frame = clock.frame
    record.header.pointee.endSample = clock.end
    record.header.pointee.time = time
    record.header.pointee.samples = UInt64(clock.length)
    record.header.pointee.frames = 1
    if let gate { record.header.pointee.commands = gate.pointee.lastTaken }
    frameValues.pointee.sums = record.sums
    frameValues.pointee.peaks = record.peaks
    frameValues.pointee.sources = record.sources
    frameValues.pointee.length = clock.length
    plan.pointee.finish(frameValues)
    if plan.pointee.queue.publish(record) { counters.pointee.mergedFrames.add(1) }
    clock.next()
    finished &+= 1
  }

  /// Begins an epoch at frame `frame` after a pause of the callback. The unfinished frame gets no record. Call it only
  /// while no callback runs. [any]
  public mutating func restart(frame: Int64) {
    guard let plan else { return }
    // `finish` lets the blocks begin a new frame; the values that they write are dropped.
    let dropped = plan.pointee.queue.scratchRecord()
    frameValues.pointee.sums = dropped.sums
    frameValues.pointee.peaks = dropped.peaks
    frameValues.pointee.sources = dropped.sources
    frameValues.pointee.length = clock.length
    plan.pointee.finish(frameValues)
    clock = newEpoch(from: frame)
  }

  /// Retires the running plan, after the callback has ended for good. [control]
  public mutating func stop() {
    if let plan { exchange.pointee.retire(plan) }
    plan = nil
  }
}

/// The ends of frames on the timeline: frame n of an epoch ends at s₀ + round((n − n₀) × rate ÷ fps), half up, in
/// whole samples. It is computed with integer remainders, so it stays exact for years.
public struct FrameClock: BitwiseCopyable, Sendable {
  /// The number of the current frame; frames count from 1, through all epochs.
  public private(set) var frame: Int64
  /// Where the current frame begins, in samples of the timeline.
  public private(set) var begin: Int64
  /// Where the current frame ends, in samples of the timeline, exclusive.
  public private(set) var end: Int64
  /// Samples per frame: `whole` + `remainder` / `divisor`.
  let whole: Int64
  let remainder: Int64
  let divisor: Int64
  /// Remainders carried over from the frames before, 0 ..< `divisor`.
  var carried: Int64

  /// Begins an epoch: `frame` is its first frame and begins at `sample`.
  ///
  /// `rate` is in samples per second (1…2³⁰). There are `frames` frames in `seconds` seconds (each 1…2²⁰).
  @_noLocks
  public init(frame: Int64, sample: Int64, rate: Int64, frames: Int64, seconds: Int64) {
    self.frame = frame
    // The carry starts at one half, so that flooring rounds half up.
    divisor = 2 &* frames
    let length = 2 &* rate &* seconds
    whole = length / divisor
    remainder = length % divisor
    carried = frames
    begin = sample
    end = sample
    step()
  }

  /// Goes on to the next frame. [audio]
  @_noLocks
  public mutating func next() {
    frame &+= 1
    begin = end
    step()
  }

  /// Moves `end` to the end of the frame that begins at the present `end`.
  @_noLocks
  mutating func step() {
    carried &+= remainder
    end &+= whole
    if carried >= divisor {
      carried &-= divisor
      end &+= 1
    }
  }

  /// Samples in the current frame.
  public var length: UInt32 {
    @_noLocks get { UInt32(truncatingIfNeeded: end &- begin) }
  }
}
