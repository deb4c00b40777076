import Glibc

/// Raised once by one thread, waited for by another with a time limit; stays raised.
final class Signal: @unchecked Sendable {
  // Mutex and condition may be used by any thread, and must not move: they have memory of their own.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var isRaised = false

  init() {
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    // The wall clock may be set while somebody waits.
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  func raise() {
    pthread_mutex_lock(mutex)
    isRaised = true
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }

  /// - Returns: false when the time is over.
  func wait(seconds: Double) -> Bool {
    var until = timespec()
    clock_gettime(CLOCK_MONOTONIC, &until)
    let nanoseconds = until.tv_nsec + Int((seconds * 1e9).rounded())
    until.tv_sec += nanoseconds / 1_000_000_000
    until.tv_nsec = nanoseconds % 1_000_000_000
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !isRaised {
      if pthread_cond_timedwait(condition, mutex, &until) == ETIMEDOUT { break }
    }
    return isRaised
  }
}
