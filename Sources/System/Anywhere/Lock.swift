#if canImport(Glibc)
  import Glibc
#endif

/// A mutex of the control side. It uses the mutex of POSIX, which ThreadSanitizer knows. Any thread but the audio
/// callback's
public final class Lock: @unchecked Sendable {
  #if canImport(Glibc)
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    /// Makes a free lock.
    public init() {
      // Not Swift's initializer of the type: it would belong to the first C module that declares the type.
      pthread_mutex_init(mutex, nil)
    }

    deinit {
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
    }

    @usableFromInline func lock() { pthread_mutex_lock(mutex) }

    @usableFromInline func tryLock() -> Bool { pthread_mutex_trylock(mutex) == 0 }

    @usableFromInline func unlock() { pthread_mutex_unlock(mutex) }
  #else
    // A module in a web page has a single thread, so no lock is ever taken.
    /// Makes a free lock.
    public init() {}

    @usableFromInline func lock() {}

    @usableFromInline func tryLock() -> Bool { true }

    @usableFromInline func unlock() {}
  #endif

  /// Runs `body` under the lock.
  @inlinable
  public func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure)
    -> Result
  {
    lock()
    defer { unlock() }
    return try body()
  }
}

/// A value behind a lock, which only a thread that holds the lock can access. Any thread but the audio callback's
///
/// It replaces `Synchronization.Mutex`: ThreadSanitizer does not see that a thread waits for that one, and reports
/// false races. The functions are inlinable, because frames and players call them often, and calling a generic function
/// of another module costs several times as much as the lock. Only for this the class is public: other modules do not
/// see the bodies of package declarations.
public final class Locked<Value>: @unchecked Sendable {
  @usableFromInline let lock = Lock()
  @usableFromInline var value: Value

  /// Puts a value behind a lock.
  public init(_ value: sending Value) { self.value = value }

  /// Runs `body` with the value under the lock.
  @inlinable
  public func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }

  /// Runs `body` with the value if the lock is free now; otherwise returns nil at once.
  @inlinable
  public func withLockIfAvailable<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard lock.tryLock() else { return nil }
    defer { lock.unlock() }
    return try body(&value)
  }

  /// Runs `body` with the value if the lock becomes free within microseconds; otherwise returns nil. For a thread that
  /// must not wait, if other threads hold the lock only to move a value.
  @inlinable
  public func withLockSoon<Result>(_ body: (inout Value) -> Result) -> Result? {
    for _ in 0..<2000 {
      if let result = withLockIfAvailable(body) { return result }
    }
    return nil
  }
}
