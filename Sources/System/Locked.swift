/// A value behind a lock: whoever touches it holds the lock. Any thread but the audio callback's
///
/// Like `Synchronization.Mutex`, which does without an allocation, but whose waiting ThreadSanitizer does not see: it
/// reports races where there are none.
package final class Locked<Value>: @unchecked Sendable {
  private let lock = Lock()
  private var value: Value

  /// Puts a value behind a lock.
  package init(_ value: sending Value) { self.value = value }

  /// Runs `body` with the value while nobody else holds the lock.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }

  /// The same where nobody holds it at this moment; else nil, at once.
  package func withLockIfAvailable<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard lock.tryLock() else { return nil }
    defer { lock.unlock() }
    return try body(&value)
  }
}
