/// A closure that one thread sets or replaces and others call. Any thread but the audio callback's
///
/// The closure is a field of this class. In a `Locked` or a `Monitor` it would leave through a generic `inout` at each
/// access, and what is written back is the closure in one more thunk: the chain would be as long as there were accesses, and
/// a call would need as much stack. `HouseTests` refuses that.
public final class Callback<Argument>: @unchecked Sendable {
  private let lock = Lock()
  private var closure: (@Sendable (Argument) -> Void)?

  /// A callback that calls `closure`; nil: nothing yet.
  public init(_ closure: (@Sendable (Argument) -> Void)? = nil) { self.closure = closure }

  /// What is called from now on; nil: nothing. A call that has begun still calls what was set before.
  public func set(_ closure: (@Sendable (Argument) -> Void)?) {
    lock.lock()
    let before = self.closure
    self.closure = closure
    lock.unlock()
    // Freed only here: what it keeps may take the lock.
    withExtendedLifetime(before) {}
  }

  /// The closure that is called at this moment; nil: none.
  public var current: (@Sendable (Argument) -> Void)? {
    lock.lock()
    defer { lock.unlock() }
    return closure
  }

  /// Calls it, not under the lock; does nothing where none is set.
  public func callAsFunction(_ argument: Argument) { current?(argument) }

  /// Calls it for the last time: it is not set any more.
  public func callOnce(_ argument: Argument) {
    lock.lock()
    let closure = closure
    self.closure = nil
    lock.unlock()
    closure?(argument)
  }
}

extension Callback where Argument == Void {
  /// Calls it, not under the lock; does nothing where none is set.
  public func callAsFunction() { self(()) }

  /// Calls it for the last time: it is not set any more.
  public func callOnce() { callOnce(()) }
}
