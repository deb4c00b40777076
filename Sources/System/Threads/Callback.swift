/// A closure that one thread sets or replaces and others call. Any thread but the audio callback's
///
/// The closure is a field of this class and not a value in a `Locked` or a `Monitor`. There, each access would pass it
/// through a generic `inout` and write it back inside one more thunk: the chain of thunks, and the stack of a call,
/// would grow without end. `HouseTests` refuses such uses.
public final class Callback<Argument>: @unchecked Sendable {
  private let lock = Lock()
  private var closure: (@Sendable (Argument) -> Void)?

  /// Makes a callback. With nil it does nothing until `set`.
  public init(_ closure: (@Sendable (Argument) -> Void)? = nil) { self.closure = closure }

  /// Replaces the closure; nil removes it. A call that has begun still calls the old closure.
  public func set(_ closure: (@Sendable (Argument) -> Void)?) {
    lock.lock()
    let before = self.closure
    self.closure = closure
    lock.unlock()
    // The old closure is freed after the lock is released, because freeing its captures may take the lock.
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

  /// Removes the closure, then calls it.
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

  /// Removes the closure, then calls it.
  public func callOnce() { callOnce(()) }
}
