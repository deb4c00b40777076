import Glibc

/// A value behind a lock, and a way to wait until another thread has changed it: a mutex and a condition variable in one. Any
/// thread but the audio callback's
///
/// POSIX's own, for the reason that `Lock` gives. Every access may be the change that another waits for, so each wakes all
/// who wait; that costs nothing where nobody does.
package final class Monitor<Value>: @unchecked Sendable {
  // Both must not move: they have memory of their own.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var value: Value

  /// Puts a value behind a lock.
  package init(_ value: sending Value) {
    self.value = value
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    // The wall clock may be set while a thread waits.
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

  /// Runs `body` with the value while nobody else holds the lock, and lets those look who wait.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { leave() }
    return try body(&value)
  }

  /// Waits until `isReady`, at most to the deadline, then does the same; nil when the time is over.
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

/// Set by one thread, waited for by others; what is set before the wait is not lost. Any thread but the audio callback's
package final class Latch: Sendable {
  /// What becomes of it once a thread has waited for it.
  package enum Reset: Sendable {
    /// It stays set for good: a latch, a manual-reset event.
    case never
    /// The wait that it has ended takes it back: an auto-reset event.
    case afterWait
  }

  private let isSet = Monitor(false)
  private let resets: Reset

  /// One that is not set.
  package init(resets: Reset) { self.resets = resets }

  /// Wakes the thread that waits, or lets the next wait return at once.
  package func set() { isSet.withLock { $0 = true } }

  /// Waits until it is set, at most to the deadline; says whether it was.
  @discardableResult
  package func wait(until deadline: Deadline = .never) -> Bool {
    isSet.wait(until: deadline, for: { $0 }) { isSet in
      if resets == .afterWait { isSet = false }
      return true
    } ?? false
  }
}
