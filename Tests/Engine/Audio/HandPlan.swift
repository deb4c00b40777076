import CRealtime
import Engine
import Realtime
import TestSupport

extension EngineRig {
  @discardableResult
  func offer(_ plan: HandPlan) -> UnsafeMutablePointer<Plan>? { offer(plan.pointer) }
}

/// A plan made by hand: a block that reads the host's port 0 and writes its port 1, with a meter of it.
final class HandPlan: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<Plan>
  let state: UnsafeMutablePointer<Probe>
  private let ownsState: Bool

  /// `state` is shared with another plan if one is given.
  init(
    rate: Int64 = 48_000, frames: Int64 = 60, seconds: Int64 = 1, state: UnsafeMutablePointer<Probe>? = nil,
    mark: Float = 1, releases: UnsafeMutablePointer<Counter>? = nil
  ) {
    let memory = PlanMemory()
    if let state {
      self.state = state
      ownsState = false
    } else {
      self.state = .allocate(capacity: 1)
      self.state.initialize(to: Probe())
      ownsState = true
    }
    if let releases { memory.keep(Reported(releases)) }
    let io = memory.room(for: 1, of: vg_io.self)
    let numbers = memory.room(for: 2, of: UInt32.self)
    numbers[1] = 1
    io.initialize(
      to: vg_io(
        inputs: numbers, outputs: numbers + 1, inputCount: 1, outputCount: 1, firstValue: 0, firstSource: 0))
    let settings = memory.room(for: 1, of: Probe.Settings.self)
    settings.initialize(to: Probe.Settings(mark: mark))
    let op = memory.room(for: 1, of: vg_op.self)
    op.initialize(
      to: vg_op(
        process: Probe.processing, finish: Probe.finishing, state: UnsafeMutableRawPointer(self.state),
        io: UnsafePointer(io), settings: UnsafeRawPointer(settings)))
    let buffers = memory.room(for: 1, of: UnsafeMutablePointer<Float>.self)
    buffers.initialize(to: memory.room(for: 1, of: Float.self))
    let finishers = memory.room(for: 1, of: UnsafePointer<vg_op>.self)
    finishers.initialize(to: UnsafePointer(op))
    pointer = .allocate(capacity: 1)
    pointer.initialize(
      to: Plan(
        ops: op, opCount: 1, finishers: finishers, finisherCount: 1, buffers: buffers, ownBuffers: buffers,
        values: 1,
        sources: 1, rate: rate, frames: frames, seconds: seconds, memory: memory))
  }

  deinit {
    pointer.deinitialize(count: 1)
    pointer.deallocate()
    if ownsState {
      state.deinitialize(count: 1)
      state.deallocate()
    }
  }

  var mistakes: Int { state.pointee.mistakes }
  var segments: Int { state.pointee.segments }
  var waiting: Int { pointer.pointee.queue.waiting() }
  /// The pending record.
  var last: Taken? { pointer.pointee.queue.last().map(Taken.init) }

  /// Removes and returns the oldest record.
  func record() -> Taken? {
    guard let record = pointer.pointee.queue.peek().map(Taken.init) else { return nil }
    pointer.pointee.queue.pop()
    return record
  }

  /// Removes and returns all records in the queue, oldest first.
  func records() -> [Taken] {
    var taken: [Taken] = []
    while let record = record() { taken.append(record) }
    return taken
  }

  /// A copy of a record.
  struct Taken: Equatable {
    let frame: Int64
    let endSample: Int64
    let samples: UInt64
    let frames: UInt32
    let square: Double
    let peak: Float
    let source: UInt8

    init(_ record: Record) {
      frame = record.header.pointee.frame
      endSample = record.header.pointee.endSample
      samples = record.header.pointee.samples
      frames = record.header.pointee.frames
      square = record.sums[0]
      peak = record.peaks[0]
      source = record.sources[0]
    }
  }
}

/// Counts when it is freed.
private final class Reported {
  private let releases: UnsafeMutablePointer<Counter>
  init(_ releases: UnsafeMutablePointer<Counter>) { self.releases = releases }
  deinit { releases.pointee.add(1) }
}

/// Measures port 0 if it is connected, else a ramp along the timeline. Writes the timeline times its mark to port 1.
/// Checks that segments follow each other and never cross the end of a frame.
struct Probe: ~Copyable, Block {
  struct Settings: BitwiseCopyable {
    let mark: Float
  }
  var sides = vg_lanes()
  var expected: Int64 = 0
  var mistakes = 0
  var segments = 0

  mutating func process(_ io: IO, _ settings: UnsafePointer<Settings>, _ cycle: Cycle) {
    segments &+= 1
    if segments > 1 && cycle.sample != expected { mistakes &+= 1 }
    if UInt32(truncatingIfNeeded: cycle.count) &+ cycle.position > cycle.length { mistakes &+= 1 }
    expected = cycle.sample &+ Int64(cycle.count)
    if let samples = cycle.port(0) {
      _ = vg_meter(&sides, samples, UInt32(truncatingIfNeeded: cycle.count), cycle.position)
    }
    if let out = cycle.port(1) {
      var i = 0
      while i < cycle.count {
        out[i] = settings.pointee.mark * Float(cycle.sample &+ Int64(i))
        i &+= 1
      }
    }
  }

  mutating func finish(_ io: IO, _ settings: UnsafePointer<Settings>, _ frame: FrameEnd) {
    frame.pointee.sums[0] = vg_meter_finish(&sides, frame.pointee.peaks)
    frame.pointee.sources[0] = 1
  }

  static var processing: vg_process { { runBlock(Probe.self, $0, $1) } }
  static var finishing: vg_finish? { { finishBlock(Probe.self, $0, $1) } }
}
