public import CRealtime
public import Realtime
import Synchronization

/// What the audio callback runs: ops in order, buffers, and the queue its records leave by. Flat memory, put together by
/// the control side and freed by it; in between only settings change, by their slots.
public struct Plan: ~Copyable {
  /// The ops in the order of the signal.
  public let ops: UnsafeMutablePointer<vg_op>
  /// How many.
  public let opCount: Int
  /// The ops that have something to say at the end of a frame.
  public let finishers: UnsafeMutablePointer<UnsafePointer<vg_op>>
  /// How many.
  public let finisherCount: Int
  /// A pointer per buffer number.
  public let buffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// Where the plan has put each buffer; a block may let `buffers` point elsewhere for a segment.
  public let ownBuffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// Where records wait for the frame thread.
  public let queue: RecordQueue
  /// Samples a second.
  public let rate: Int64
  /// Frames in `seconds` seconds.
  public let frames: Int64
  /// Seconds.
  public let seconds: Int64
  /// Where changed settings wait for the start of a frame.
  let settings: SettingSlots
  /// Where sound is looked at; nil while nobody does.
  let probes = Atomic<UnsafeMutablePointer<SoundProbe>?>(nil)
  /// The list of plans that the callback has left; written by the callback when it leaves this one.
  var next: UnsafeMutablePointer<Plan>?
  /// What the plan's memory belongs to; notified when the plan is freed.
  let memory: PlanMemory

  /// Takes over memory that holds everything above. [control]
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
    // Two seconds of frames: longer than any pause a desktop machine makes.
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

  /// Takes the values of the frame that is over. [audio]
  @_noLocks @inline(__always)
  borrowing func finish(_ frame: FrameEnd) {
    var i = 0
    while i < finisherCount {
      vg_call_finish(finishers[i], frame)
      i &+= 1
    }
  }
}

/// Memory that a plan lives in: allocated piece by piece before the plan, freed with it.
/// [control] makes it, [any] frees it.
public final class PlanMemory {
  private var pieces: [UnsafeMutableRawPointer] = []
  private var kept: [AnyObject] = []

  /// No memory yet.
  public init() {}
  deinit { for piece in pieces { piece.deallocate() } }

  /// Keeps something alive as long as the memory.
  public func keep(_ thing: AnyObject) { kept.append(thing) }

  /// Room for `count` values, begun as zero bytes, on a cache line of its own.
  public func room<T: BitwiseCopyable>(for count: Int, of type: T.Type) -> UnsafeMutablePointer<T> {
    let bytes = max(64, count * MemoryLayout<T>.stride)
    let piece = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
    piece.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
    pieces.append(piece)
    return piece.bindMemory(to: T.self, capacity: max(1, count))
  }
}

/// Adds the wires that meet at one port, in the order of the file; the compiler of plans puts it where they meet.
public struct Sum: ~Copyable, Block {
  /// It has none.
  public typealias Settings = UInt8

  /// Makes a sum.
  public init() {}

  /// One output, made of all inputs. [audio]
  @_noLocks
  public mutating func process(_ io: IO, _ settings: UnsafePointer<UInt8>, _ cycle: Cycle) {
    let out = cycle.output(io, 0)
    vg_copy(out, cycle.input(io, 0), cycle.count)
    var i: UInt32 = 1
    while i < io.pointee.inputCount {
      vg_add(out, cycle.input(io, i), cycle.count)
      i &+= 1
    }
  }

  /// Written out, because this module cannot specialize its own generic across files in debug builds.
  public static var processing: vg_process {
    { op, segment in
      op.pointee.state.assumingMemoryBound(to: Sum.self).pointee.process(
        op.pointee.io, op.pointee.settings.assumingMemoryBound(to: UInt8.self), Cycle(segment))
    }
  }
}
