import Glibc

/// A value behind a lock, and a way to wait until another thread has changed it: a mutex with a condition variable.
/// Any thread but the audio callback's
///
/// It uses those of POSIX, for the reason that `Lock` states. Each access may make the change for which another thread
/// waits, so each access wakes all waiting threads. Without waiting threads that costs nothing.
package final class Monitor<Value>: @unchecked Sendable {
  // Allocated, because mutex and condition variable must not move in memory.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var value: Value

  /// Puts a value behind a lock.
  package init(_ value: sending Value) {
    self.value = value
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    // Timeouts use the monotonic clock: the wall clock may be set during a wait.
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(changed, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Runs `body` with the value under the lock, and wakes all waiting threads.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { leave() }
    return try body(&value)
  }

  /// Waits until `isReady` returns true for the value, then runs `body` with it. Returns nil at the deadline.
  package func wait<Result>(
    until deadline: Deadline = .never, for isReady: (Value) -> Bool, _ body: (inout Value) -> Result
  ) -> Result? {
    pthread_mutex_lock(mutex)
    defer { leave() }
    if deadline == .never {
      while !isReady(value) { pthread_cond_wait(changed, mutex) }
    } else {
      var moment = timespec(nanoseconds: deadline.time)
      while !isReady(value) {
        if pthread_cond_timedwait(changed, mutex, &moment) == ETIMEDOUT { break }
      }
    }
    return isReady(value) ? body(&value) : nil
  }

  private func leave() {
    pthread_cond_broadcast(changed)
    pthread_mutex_unlock(mutex)
  }
}

/// An event that one thread sets and others wait for. If it is set before the wait, the wait returns at once. Any
/// thread but the audio callback's
package final class Latch: Sendable {
  /// Whether a wait resets it.
  package enum Reset: Sendable {
    /// It stays set: a latch, or manual-reset event.
    case never
    /// The wait that it ends resets it: an auto-reset event.
    case afterWait
  }

  private let isSet = Monitor(false)
  private let resets: Reset

  /// Makes a latch that is not set.
  package init(resets: Reset) { self.resets = resets }

  /// Wakes the waiting threads, or lets the next wait return at once.
  package func set() { isSet.withLock { $0 = true } }

  /// Waits until it is set, at most to the deadline. Returns whether it was.
  @discardableResult
  package func wait(until deadline: Deadline = .never) -> Bool {
    isSet.wait(until: deadline, for: { $0 }) { isSet in
      if resets == .afterWait { isSet = false }
      return true
    } ?? false
  }
}
