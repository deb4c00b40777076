public import CRealtime
public import Realtime

/// The half of a node that runs in the audio callback: state at a fixed address, given its buffers and settings anew in
/// every segment.
///
/// Everything here is [audio]: no allocation, lock, system call, class or existential. A block holds no threading, never
/// sees the end of a frame inside its samples, and must give the same bytes however the signal is cut.
public protocol Block: ~Copyable {
  /// What the plan holds for it.
  associatedtype Settings: BitwiseCopyable
  /// Turns the inputs of a segment into its outputs.
  mutating func process(_ io: IO, _ settings: UnsafePointer<Settings>, _ cycle: Cycle)
  /// Takes the values of the frame that is over and begins the next one.
  mutating func finish(_ io: IO, _ settings: UnsafePointer<Settings>, _ frame: FrameEnd)
  /// The C face of `process`; always `{ runBlock(Self.self, $0, $1) }`, because no generic code may write it.
  static var processing: vg_process { get }
  /// The C face of `finish`, for blocks that have values or sources.
  static var finishing: vg_finish? { get }
}

extension Block where Self: ~Copyable {
  /// Nothing to take.
  @inlinable @inline(__always)
  public mutating func finish(_ io: IO, _ settings: UnsafePointer<Settings>, _ frame: FrameEnd) {}
  /// None.
  public static var finishing: vg_finish? { nil }
}

/// Runs a block of a known type from its op. [audio]
@inlinable @inline(__always)
public func runBlock<B: Block & ~Copyable>(_: B.Type, _ op: Op, _ segment: UnsafePointer<vg_cycle>) {
  op.pointee.state.assumingMemoryBound(to: B.self).pointee.process(
    op.pointee.io, op.pointee.settings.assumingMemoryBound(to: B.Settings.self), Cycle(segment))
}

/// Finishes a frame for a block of a known type from its op. [audio]
@inlinable @inline(__always)
public func finishBlock<B: Block & ~Copyable>(_: B.Type, _ op: Op, _ frame: FrameEnd) {
  op.pointee.state.assumingMemoryBound(to: B.self).pointee.finish(
    op.pointee.io, op.pointee.settings.assumingMemoryBound(to: B.Settings.self), frame)
}
