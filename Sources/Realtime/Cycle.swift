public import CRealtime
import Synchronization

/// One segment of a cycle, as a block sees it: buffers, counts, its place in the frame and on the timeline. Valid only
/// while the block runs. [audio]
public struct Cycle: BitwiseCopyable {
  /// The most samples in one segment, JACK's own largest cycle: buffers hold so many. Longer cycles are cut.
  public static var longestSegment: Int { @inlinable @inline(__always) @_noLocks get { 8192 } }
  /// The segment itself, for kernels that take all channels at once.
  public let segment: UnsafePointer<vg_cycle>

  /// Looks at a segment.
  @inlinable @inline(__always) @_noLocks
  public init(_ segment: UnsafePointer<vg_cycle>) { self.segment = segment }

  /// Samples in the segment.
  public var count: Int { @inlinable @inline(__always) @_noLocks get { Int(segment.pointee.count) } }
  /// Where the segment begins in its frame, in samples.
  public var position: UInt32 { @inlinable @inline(__always) @_noLocks get { segment.pointee.position } }
  /// Samples in the frame.
  public var length: UInt32 { @inlinable @inline(__always) @_noLocks get { segment.pointee.length } }
  /// Where the segment begins on the timeline, in samples.
  public var sample: Int64 { @inlinable @inline(__always) @_noLocks get { segment.pointee.sample } }
  /// The number of the frame, from 1.
  public var frame: Int64 { @inlinable @inline(__always) @_noLocks get { segment.pointee.frame } }
  /// The counters.
  public var counters: UnsafeMutablePointer<EngineCounters> {
    @inlinable @inline(__always) @_noLocks get {
      segment.pointee.counters.assumingMemoryBound(to: EngineCounters.self)
    }
  }

  /// The samples of input channel `channel`; a block may only read them.
  @inlinable @inline(__always) @_noLocks
  public func input(_ io: IO, _ channel: UInt32) -> UnsafeMutablePointer<Float> {
    segment.pointee.buffers[Int(io.pointee.inputs[Int(channel)])]
  }

  /// The samples of output channel `channel`; a block must write all of them.
  @inlinable @inline(__always) @_noLocks
  public func output(_ io: IO, _ channel: UInt32) -> UnsafeMutablePointer<Float> {
    segment.pointee.buffers[Int(io.pointee.outputs[Int(channel)])]
  }

  /// The plan's own memory of output channel `channel`, for blocks that sometimes hand on samples of another owner.
  @inlinable @inline(__always) @_noLocks
  public func home(_ io: IO, _ channel: UInt32) -> UnsafeMutablePointer<Float> {
    segment.pointee.ownBuffers[Int(io.pointee.outputs[Int(channel)])]
  }

  /// Lets an output channel be samples of another owner, for blocks that hand on the host's own buffers.
  @inlinable @inline(__always) @_noLocks
  public func setOutput(_ io: IO, _ channel: UInt32, to samples: UnsafeMutablePointer<Float>) {
    segment.pointee.buffers[Int(io.pointee.outputs[Int(channel)])] = samples
  }

  /// The host's buffer of a port, at the first sample of this segment; nil for an input that nothing is connected to.
  @inlinable @inline(__always) @_noLocks
  public func port(_ number: UInt32) -> UnsafeMutablePointer<Float>? {
    guard let port = segment.pointee.ports[Int(number)] else { return nil }
    return port + Int(segment.pointee.offset)
  }
}

/// Where a block puts its values when a frame is over. [audio]
public typealias FrameEnd = UnsafePointer<vg_frame>
/// One step of a plan. [audio]
public typealias Op = UnsafePointer<vg_op>
/// The buffers and numbers a block has in its plan. [audio]
public typealias IO = UnsafePointer<vg_io>

/// What the audio callback may state of itself: counters that only grow. Words are made of them on the control side.
public struct EngineCounters: ~Copyable {
  /// Samples that were not finite and counted as 0.
  public let notFinite = Counter()
  /// Frames that were merged into a later record because the frame thread was late by two seconds.
  public let mergedFrames = Counter()
  /// Samples of silence that stood in for a file that the disk had not delivered in time.
  public let missingSamples = Counter()
  /// Samples that analysis on the frame thread did not get, because that thread was late by two seconds.
  public let missedSamples = Counter()
  /// Levels into audio that were not there when their frame began.
  public let lateLevels = Counter()
  /// Samples of the longest cycle.
  public let longestCycle = Counter()
  /// Samples processed.
  public let samples = Counter()

  /// All zero.
  public init() {}
}

/// A number that only grows: counted on one thread, read on any.
public struct Counter: ~Copyable {
  private let value = Atomic<UInt64>(0)

  /// Nothing counted yet.
  public init() {}

  /// Counts `more`, ordering nothing else. [audio] or [any]
  @_noLocks
  public borrowing func count(_ more: UInt64) { _ = value.add(more, ordering: .relaxed) }

  /// Counts as far as `least`, if it is not there yet; by the thread that counts. [audio]
  @_noLocks
  public borrowing func rise(to least: UInt64) {
    if value.load(ordering: .relaxed) < least { value.store(least, ordering: .relaxed) }
  }

  /// The count now. [any]
  public borrowing func now() -> UInt64 { value.load(ordering: .relaxed) }
}
