/// A closure that one thread sets or replaces and others call. Any thread but the audio callback's
///
/// The closure is a field of this class, not a value in a `Locked` or a `Monitor`: there it would pass through a
/// generic `inout` at each access and be written back inside one more thunk. The chain would grow with each access,
/// and so would the stack of a call. `HouseTests` refuses such uses.
public final class Callback<Argument>: @unchecked Sendable {
  private let lock = Lock()
  private var closure: (@Sendable (Argument) -> Void)?

  /// Makes a callback; nil: it does nothing yet.
  public init(_ closure: (@Sendable (Argument) -> Void)? = nil) { self.closure = closure }

  /// Replaces the closure; nil: none. A call that has begun still calls the old one.
  public func set(_ closure: (@Sendable (Argument) -> Void)?) {
    lock.lock()
    let before = self.closure
    self.closure = closure
    lock.unlock()
    // The old closure is freed after the lock is released: what it captures may take the lock.
    withExtendedLifetime(before) {}
  }

  /// The current closure, if there is one.
  public var current: (@Sendable (Argument) -> Void)? {
    lock.lock()
    defer { lock.unlock() }
    return closure
  }

  /// Calls the closure outside the lock; does nothing without one.
  public func callAsFunction(_ argument: Argument) { current?(argument) }

  /// Removes the closure and calls it for the last time.
  public func callOnce(_ argument: Argument) {
    lock.lock()
    let closure = closure
    self.closure = nil
    lock.unlock()
    closure?(argument)
  }
}

extension Callback where Argument == Void {
  /// Calls the closure outside the lock; does nothing without one.
  public func callAsFunction() { self(()) }

  /// Removes the closure and calls it for the last time.
  public func callOnce() { callOnce(()) }
}
