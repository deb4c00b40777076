public import Realtime

/// A block at a fixed address, kept alive by every plan that runs it. [control] makes it,
/// [audio] uses it, [any] frees it.
public final class BlockState: @unchecked Sendable {
  /// Where the block lives.
  public let pointer: UnsafeMutableRawPointer
  private let free: () -> Void

  /// Moves a block to its address.
  public init<B: Block & ~Copyable>(_ block: consuming B) {
    let place = UnsafeMutablePointer<B>.allocate(capacity: 1)
    place.initialize(to: block)
    pointer = UnsafeMutableRawPointer(place)
    free = {
      place.deinitialize(count: 1)
      place.deallocate()
    }
  }

  deinit { free() }
}
