public import CRealtime

/// What the audio callback runs: ops in order, buffers, and the queue its records leave by. Flat memory, put together by
/// the control side, freed by it, never changed in between.
public struct Plan: ~Copyable {
  /// The ops in the order of the signal.
  public let ops: UnsafeMutablePointer<vg_op>
  /// How many.
  public let opCount: Int
  /// The ops that have something to say at the end of a frame.
  public let finishers: UnsafeMutablePointer<vg_op>
  /// How many.
  public let finisherCount: Int
  /// A pointer per buffer number.
  public let buffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// Where the plan has put each buffer; a block may let `buffers` point elsewhere for a segment.
  public let homes: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// Where records wait for the frame thread.
  public let queue: RecordQueue
  /// Samples a second.
  public let rate: Int64
  /// Frames in `seconds` seconds.
  public let frames: Int64
  /// Seconds.
  public let seconds: Int64
  /// The list of plans that the callback has left; written by the callback when it leaves this one.
  var next: UnsafeMutablePointer<Plan>?
  /// What the plan's memory belongs to; told when the plan is freed.
  let memory: PlanMemory

  /// Takes over memory that holds everything above. [control]
  public init(
    ops: UnsafeMutablePointer<vg_op>, opCount: Int, finishers: UnsafeMutablePointer<vg_op>,
    finisherCount: Int,
    buffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>,
    homes: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, values: Int, sources: Int, rate: Int64,
    frames: Int64, seconds: Int64, memory: PlanMemory
  ) {
    self.ops = ops
    self.opCount = opCount
    self.finishers = finishers
    self.finisherCount = finisherCount
    self.buffers = buffers
    self.homes = homes
    // Two seconds of frames: longer than any pause a desktop machine makes.
    queue = RecordQueue(values: values, sources: sources, capacity: Int(2 * frames / seconds) + 2)
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
    while op < end {
      vg_call_process(op, cycle)
      op += 1
    }
  }

  /// Takes the values of the frame that is over. [audio]
  @_noLocks @inline(__always)
  borrowing func finish(_ frame: FrameEnd) {
    var op = UnsafePointer(finishers)
    let end = op + finisherCount
    while op < end {
      vg_call_finish(op, frame)
      op += 1
    }
  }
}
