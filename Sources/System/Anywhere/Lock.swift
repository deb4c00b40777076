#if canImport(Glibc)
  import Glibc
#endif

/// A lock of the control side. POSIX's own, because ThreadSanitizer knows that one. Any thread but the audio callback's
public final class Lock: @unchecked Sendable {
  #if canImport(Glibc)
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    /// A lock that nobody holds.
    public init() {
      // It makes the memory a mutex; a Swift initializer would belong to whichever C module names the type first.
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
    // A module in a page has one thread, which nobody holds up.
    /// A lock that nobody holds.
    public init() {}

    @usableFromInline func lock() {}

    @usableFromInline func tryLock() -> Bool { true }

    @usableFromInline func unlock() {}
  #endif

  /// Runs `body` while nobody else holds the lock.
  @inlinable
  public func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure)
    -> Result
  {
    lock()
    defer { unlock() }
    return try body()
  }
}

/// A value behind a lock: whoever touches it holds the lock. Any thread but the audio callback's
///
/// Like `Synchronization.Mutex`, which does without an allocation, but whose waiting ThreadSanitizer does not see: it
/// reports races where there are none. What runs under the lock is inlinable, as frames and players come here many times: a
/// generic function that is called across modules costs several times as much as the lock. It is public for that alone,
/// as of what belongs to the package other modules see no body.
public final class Locked<Value>: @unchecked Sendable {
  @usableFromInline let lock = Lock()
  @usableFromInline var value: Value

  /// Puts a value behind a lock.
  public init(_ value: sending Value) { self.value = value }

  /// Runs `body` with the value while nobody else holds the lock.
  @inlinable
  public func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }

  /// The same where nobody holds it at this moment; else nil, at once.
  @inlinable
  public func withLockIfAvailable<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard lock.tryLock() else { return nil }
    defer { lock.unlock() }
    return try body(&value)
  }

  /// The same where nobody holds it at some moment of the next microseconds; else nil. For a thread that never waits, where
  /// others hold the lock for as long as it takes to move a value.
  @inlinable
  public func withLockSoon<Result>(_ body: (inout Value) -> Result) -> Result? {
    for _ in 0..<2000 {
      if let result = withLockIfAvailable(body) { return result }
    }
    return nil
  }
}
