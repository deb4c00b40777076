public import CRealtime

/// One segment of a cycle, as a block sees it: buffers, counts, its place in the frame and on the timeline. [audio]
public typealias Cycle = UnsafePointer<vg_cycle>
/// Where a block puts its values when a frame is over. [audio]
public typealias FrameEnd = UnsafePointer<vg_frame>
/// One step of a plan. [audio]
public typealias Op = UnsafePointer<vg_op>
/// The buffers and numbers a block has in its plan. [audio]
public typealias IO = UnsafePointer<vg_io>

extension UnsafePointer where Pointee == vg_cycle {
  /// The samples of input channel `channel` in this segment; a block may only read them. [audio]
  @inlinable @inline(__always)
  public func input(_ io: IO, _ channel: UInt32) -> UnsafeMutablePointer<Float> {
    pointee.buffers[Int(io.pointee.inputs[Int(channel)])]
  }
  /// The samples of output channel `channel` in this segment; a block must write all of them. [audio]
  @inlinable @inline(__always)
  public func output(_ io: IO, _ channel: UInt32) -> UnsafeMutablePointer<Float> {
    pointee.buffers[Int(io.pointee.outputs[Int(channel)])]
  }
  /// Samples in the segment. [audio]
  @inlinable @inline(__always)
  public var count: Int { Int(pointee.count) }
  /// The counters. [audio]
  @inlinable @inline(__always)
  public var facts: UnsafeMutablePointer<Facts> { pointee.facts.assumingMemoryBound(to: Facts.self) }
}
