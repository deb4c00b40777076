import Glibc

/// A bell that threads ring and one thread waits for; a ring before the wait is not lost.
///
/// [any] Never for the audio callback: it locks.
final class Bell: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let rung = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var isRung = false

  init() {
    lock.initialize(to: pthread_mutex_t())
    rung.initialize(to: pthread_cond_t())
    pthread_mutex_init(lock, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(rung, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(rung)
    pthread_mutex_destroy(lock)
    rung.deallocate()
    lock.deallocate()
  }

  /// Wakes whoever waits, or lets the next wait return at once.
  func ring() {
    pthread_mutex_lock(lock)
    isRung = true
    pthread_cond_broadcast(rung)
    pthread_mutex_unlock(lock)
  }

  /// Waits for a ring, at most so long.
  ///
  /// - Parameter nanoseconds: the longest wait, by the clock that nobody can set.
  func wait(nanoseconds: Int64) {
    var until = timespec()
    clock_gettime(CLOCK_MONOTONIC, &until)
    let total = Int64(until.tv_nsec) + max(0, nanoseconds) % 1_000_000_000
    until.tv_sec += Int(max(0, nanoseconds) / 1_000_000_000 + total / 1_000_000_000)
    until.tv_nsec = Int(total % 1_000_000_000)
    pthread_mutex_lock(lock)
    while !isRung, pthread_cond_timedwait(rung, lock, &until) == 0 {}
    isRung = false
    pthread_mutex_unlock(lock)
  }
}
