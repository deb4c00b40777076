public import CRealtime

/// One segment of a cycle, as a block sees it: buffers, counts, its place in the frame and on the timeline. Valid only
/// while the block runs. [audio]
public struct Cycle: BitwiseCopyable {
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
  public var facts: UnsafeMutablePointer<Facts> {
    @inlinable @inline(__always) @_noLocks get { segment.pointee.facts.assumingMemoryBound(to: Facts.self) }
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

  /// The plan's own memory of output channel `channel`, for blocks that sometimes hand on somebody else's samples.
  @inlinable @inline(__always) @_noLocks
  public func home(_ io: IO, _ channel: UInt32) -> UnsafeMutablePointer<Float> {
    segment.pointee.homes[Int(io.pointee.outputs[Int(channel)])]
  }

  /// Lets an output channel be somebody else's samples, for blocks that hand on the host's own buffers.
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
