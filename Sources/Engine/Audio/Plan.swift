public import CRealtime
public import Realtime
import Synchronization

/// The part of a compiled graph that the audio callback runs: ops in order, buffers, and the queue for its records. It
/// is flat memory that the control side makes and frees. In between, only settings change, through their slots.
public struct Plan: ~Copyable {
  /// The ops, each after the ops that it reads from.
  public let ops: UnsafeMutablePointer<vg_op>
  /// The number of ops.
  public let opCount: Int
  /// The ops that write values at the end of a frame.
  public let finishers: UnsafeMutablePointer<UnsafePointer<vg_op>>
  /// The number of `finishers`.
  public let finisherCount: Int
  /// A pointer for each buffer number.
  public let buffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// The plan's own memory for each buffer. A block may let `buffers` point elsewhere for a segment.
  public let ownBuffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// Carries records to the frame thread.
  public let queue: RecordQueue
  /// Samples per second.
  public let rate: Int64
  /// Frames in `seconds` seconds, so that the frame rate is a fraction.
  public let frames: Int64
  /// The denominator of the frame rate, in seconds.
  public let seconds: Int64
  /// Changed settings, which take effect at the start of a frame.
  let settings: SettingSlots
  /// The probes; nil while no page shows sound.
  let probes = Atomic<UnsafeMutablePointer<SoundProbe>?>(nil)
  /// Links the plans that the callback has left; the callback writes it when it leaves this plan.
  var next: UnsafeMutablePointer<Plan>?
  /// Owns the plan's memory.
  let memory: PlanMemory

  /// Takes over memory that holds all of the above. [control]
  public init(
    ops: UnsafeMutablePointer<vg_op>, opCount: Int, finishers: UnsafeMutablePointer<UnsafePointer<vg_op>>,
    finisherCount: Int,
    buffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>,
    ownBuffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, values: Int, sources: Int, rate: Int64,
    frames: Int64, seconds: Int64, memory: PlanMemory
  ) {
    self.ops = ops
    self.opCount = opCount
    self.finishers = finishers
    self.finisherCount = finisherCount
    self.buffers = buffers
    self.ownBuffers = ownBuffers
    // 2 s of frames: on a desktop machine the frame thread is not delayed longer.
    queue = RecordQueue(values: values, sources: sources, capacity: Int(2 * frames / seconds) + 2)
    settings = SettingSlots(count: opCount)
    self.rate = rate
    self.frames = frames
    self.seconds = seconds
    self.memory = memory
  }

  /// Runs one segment. [audio]
  @_noLocks @inline(__always)
  borrowing func run(_ cycle: UnsafePointer<vg_cycle>) {
    var op = UnsafePointer(ops)
    let end = op + opCount
    if let probes = probes.load(ordering: .acquiring) { return SoundProbe.run(op, to: end, probes, cycle) }
    while op < end {
      vg_call_process(op, cycle)
      op += 1
    }
  }

  /// Writes the values of the frame that has ended. [audio]
  @_noLocks @inline(__always)
  borrowing func finish(_ frame: FrameEnd) {
    var i = 0
    while i < finisherCount {
      vg_call_finish(finishers[i], frame)
      i &+= 1
    }
  }
}

/// Owns the memory of a plan, allocated in pieces before the plan is made and freed with it. [control] makes it,
/// [any] frees it.
public final class PlanMemory {
  private var pieces: [UnsafeMutableRawPointer] = []
  /// Objects that live as long as the memory.
  private var kept: [AnyObject] = []

  /// Owns nothing yet.
  public init() {}
  deinit { for piece in pieces { piece.deallocate() } }

  /// Keeps an object alive as long as this memory.
  public func keep(_ thing: AnyObject) { kept.append(thing) }

  /// Allocates `count` values of zero bytes, aligned to 64 bytes, at least one cache line.
  public func room<T: BitwiseCopyable>(for count: Int, of type: T.Type) -> UnsafeMutablePointer<T> {
    let bytes = max(64, count * MemoryLayout<T>.stride)
    let piece = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
    piece.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
    pieces.append(piece)
    return piece.bindMemory(to: T.self, capacity: max(1, count))
  }
}

/// Adds the wires that meet at one port, in the order of the file. The plan compiler inserts it.
public struct Sum: ~Copyable, Block {
  /// Unused: a sum has no settings.
  public typealias Settings = UInt8

  /// Makes a sum.
  public init() {}

  /// Adds all inputs into one output, which is silent if there are none. [audio]
  @_noLocks
  public mutating func process(_ io: IO, _ settings: UnsafePointer<UInt8>, _ cycle: Cycle) {
    let out = cycle.output(io, 0)
    guard io.pointee.inputCount > 0 else { return vg_clear(out, cycle.count) }
    vg_copy(out, cycle.input(io, 0), cycle.count)
    var i: UInt32 = 1
    while i < io.pointee.inputCount {
      vg_add(out, cycle.input(io, i), cycle.count)
      i &+= 1
    }
  }

  /// Written out in full, because a debug build does not specialize this module's own generics across files.
  public static var processing: vg_process {
    { op, segment in
      op.pointee.state.assumingMemoryBound(to: Sum.self).pointee.process(
        op.pointee.io, op.pointee.settings.assumingMemoryBound(to: UInt8.self), Cycle(segment))
    }
  }
}
