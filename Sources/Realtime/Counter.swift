import Synchronization

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
