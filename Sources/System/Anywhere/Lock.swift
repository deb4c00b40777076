#if canImport(Glibc)
  import Glibc
#endif

/// A mutex of the control side. It is POSIX's, because ThreadSanitizer knows that one. Any thread but the audio
/// callback's
public final class Lock: @unchecked Sendable {
  #if canImport(Glibc)
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    /// Makes a free lock.
    public init() {
      // Initializes the allocated memory: Swift's initializer of the type would belong to whichever C module declares
      // it first.
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
    // A module in a web page has a single thread, which never has to wait.
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
/// It replaces `Synchronization.Mutex`, which needs no allocation, but whose waiting ThreadSanitizer does not see, so
/// that it reports false races. The body under the lock is inlinable, because frames and players come here often, and
/// calling a generic function across modules costs several times as much as the lock. The class is public for this
/// alone: the bodies of package declarations are not visible to other modules.
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
  /// must not wait, where others hold the lock only to move a value.
  @inlinable
  public func withLockSoon<Result>(_ body: (inout Value) -> Result) -> Result? {
    for _ in 0..<2000 {
      if let result = withLockIfAvailable(body) { return result }
    }
    return nil
  }
}
