public import CRealtime
import Synchronization

/// One segment of a cycle, as a block processes it: buffers, and its place in the frame and on the timeline. Valid only
/// while the block runs. [audio]
public struct Cycle: BitwiseCopyable {
  /// The most samples of a segment, and the size of buffers: JACK's largest cycle. Longer cycles are cut.
  public static var longestSegment: Int { @inlinable @inline(__always) @_noLocks get { 8192 } }
  /// The C struct, for kernels that process all channels at once.
  public let segment: UnsafePointer<vg_cycle>

  /// Makes a view of a segment.
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
  /// The counters of the callback.
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

  /// The plan's own memory for output channel `channel`. A block that sometimes passes on another buffer (`setOutput`)
  /// goes back to it.
  @inlinable @inline(__always) @_noLocks
  public func home(_ io: IO, _ channel: UInt32) -> UnsafeMutablePointer<Float> {
    segment.pointee.ownBuffers[Int(io.pointee.outputs[Int(channel)])]
  }

  /// Replaces the buffer of an output channel, for blocks that pass on a buffer of the host without a copy.
  @inlinable @inline(__always) @_noLocks
  public func setOutput(_ io: IO, _ channel: UInt32, to samples: UnsafeMutablePointer<Float>) {
    segment.pointee.buffers[Int(io.pointee.outputs[Int(channel)])] = samples
  }

  /// The host's buffer of a port, at the first sample of this segment; nil for an unconnected input.
  @inlinable @inline(__always) @_noLocks
  public func port(_ number: UInt32) -> UnsafeMutablePointer<Float>? {
    guard let port = segment.pointee.ports[Int(number)] else { return nil }
    return port + Int(segment.pointee.offset)
  }
}

/// The memory into which a block writes its values at the end of a frame. [audio]
public typealias FrameEnd = UnsafePointer<vg_frame>
/// One step of a plan. [audio]
public typealias Op = UnsafePointer<vg_op>
/// The buffers and numbers of a block in its plan. [audio]
public typealias IO = UnsafePointer<vg_io>

/// Counters of the audio callback, which only grow. Other threads read them for the status and for messages.
public struct EngineCounters: ~Copyable {
  /// Samples that were not finite and counted as 0.
  public let notFinite = Counter()
  /// Frames that were merged into a later record, because the frame thread was late by two seconds.
  public let mergedFrames = Counter()
  /// Samples that a disk did not deliver in time; silence took their place.
  public let missingSamples = Counter()
  /// Samples that analysis on the frame thread missed, because that thread was late by two seconds.
  public let missedSamples = Counter()
  /// Levels for blocks that had not arrived when their frame began.
  public let lateLevels = Counter()
  /// Samples of the longest cycle.
  public let longestCycle = Counter()
  /// Samples processed.
  public let samples = Counter()

  /// Makes counters of zero.
  public init() {}
}

/// A counter that one thread increments and any thread reads.
public struct Counter: ~Copyable {
  private let value = Atomic<UInt64>(0)

  /// Makes a counter of zero.
  public init() {}

  /// Adds `more`, with relaxed ordering. [audio] or [any]
  @_noLocks
  public borrowing func add(_ more: UInt64) { _ = value.add(more, ordering: .relaxed) }

  /// Raises the counter to `least`, if it is lower; only by the thread that increments it. [audio]
  @_noLocks
  public borrowing func rise(to least: UInt64) {
    if value.load(ordering: .relaxed) < least { value.store(least, ordering: .relaxed) }
  }

  /// The current value. [any]
  public borrowing func now() -> UInt64 { value.load(ordering: .relaxed) }
}
