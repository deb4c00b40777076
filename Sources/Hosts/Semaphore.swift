import CRealtime
import Glibc

/// A POSIX semaphore at a fixed address. Any thread.
final class Semaphore: @unchecked Sendable {
  /// For callbacks that must not touch an object.
  let pointer: UnsafeMutablePointer<sem_t>

  init() {
    pointer = .allocate(capacity: 1)
    sem_init(pointer, 0, 0)
  }

  deinit {
    sem_destroy(pointer)
    pointer.deallocate()
  }

  /// Lets one waiter go on.
  func post() { sem_post(pointer) }

  /// Waits for a post, at most `seconds`. False when none came.
  func wait(seconds: Double) -> Bool { vg_wait(pointer, max(0, seconds)) != 0 }

  /// Forgets every post that has come.
  func drain() { while sem_trywait(pointer) == 0 {} }
}
