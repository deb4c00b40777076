public import CRealtime
public import Realtime

/// The half of a node that runs in the audio callback. Its state lies at a fixed address; each segment gives it
/// buffers and settings.
///
/// All of it is [audio]: no allocation, lock, system call, class or existential. A block has no threads of its own. No
/// frame ends within a segment. The output must not depend on how the signal is cut into segments.
public protocol Block: ~Copyable {
  /// The settings, which the plan stores.
  associatedtype Settings: BitwiseCopyable
  /// Makes the outputs of a segment from its inputs.
  mutating func process(_ io: IO, _ settings: UnsafePointer<Settings>, _ cycle: Cycle)
  /// Writes the values of the frame that has ended into the record, and begins the next frame.
  mutating func finish(_ io: IO, _ settings: UnsafePointer<Settings>, _ frame: FrameEnd)
  /// The C entry point of `process`. It is always `{ runBlock(Self.self, $0, $1) }`: Swift cannot make a C function
  /// pointer in generic code.
  static var processing: vg_process { get }
  /// The C entry point of `finish`, for blocks with values or sources in records.
  static var finishing: vg_finish? { get }
}

extension Block where Self: ~Copyable {
  /// Does nothing.
  @inlinable @inline(__always)
  public mutating func finish(_ io: IO, _ settings: UnsafePointer<Settings>, _ frame: FrameEnd) {}
  /// Nil: the block has no values.
  public static var finishing: vg_finish? { nil }
}

/// Runs the block of type `B` that an op points to. [audio]
@inlinable @inline(__always)
public func runBlock<B: Block & ~Copyable>(_: B.Type, _ op: Op, _ segment: UnsafePointer<vg_cycle>) {
  op.pointee.state.assumingMemoryBound(to: B.self).pointee.process(
    op.pointee.io, op.pointee.settings.assumingMemoryBound(to: B.Settings.self), Cycle(segment))
}

/// Ends a frame for the block of type `B` that an op points to. [audio]
@inlinable @inline(__always)
public func finishBlock<B: Block & ~Copyable>(_: B.Type, _ op: Op, _ frame: FrameEnd) {
  op.pointee.state.assumingMemoryBound(to: B.self).pointee.finish(
    op.pointee.io, op.pointee.settings.assumingMemoryBound(to: B.Settings.self), frame)
}
