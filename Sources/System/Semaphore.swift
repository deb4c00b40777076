import CSyscalls
import Glibc

/// A POSIX semaphore at a fixed address: each post wakes one waiting thread. Any thread
///
/// The audio callback posts it through `pointer` by `vg_wake` of CRealtime, and uses nothing else of it.
package final class Semaphore: @unchecked Sendable {
  /// Posts to a semaphore without a reference to its object, for callbacks of libraries. Valid while the object lives.
  package struct Poster: @unchecked Sendable {
    fileprivate let pointer: UnsafeMutablePointer<sem_t>

    /// Wakes one waiting thread.
    package func post() { sem_post(pointer) }
  }

  /// For the audio callback.
  package let pointer: UnsafeMutablePointer<sem_t>

  /// Makes a semaphore without a post.
  package init() {
    pointer = .allocate(capacity: 1)
    sem_init(pointer, 0, 0)
  }

  deinit {
    sem_destroy(pointer)
    pointer.deallocate()
  }

  /// Makes a poster of this semaphore.
  package var poster: Poster { Poster(pointer: pointer) }

  /// Wakes one waiting thread.
  package func post() { sem_post(pointer) }

  /// Waits for a post. Returns false at the deadline.
  package func wait(until deadline: Deadline) -> Bool {
    var moment = timespec(nanoseconds: deadline.time)
    return vg_semaphore_wait(pointer, &moment) != 0
  }

  /// Waits for a post, at most `seconds`. Returns false at the timeout.
  package func wait(seconds: Double) -> Bool { wait(until: .after(seconds: seconds)) }

  /// Takes all posts without waiting. Returns false if there was none.
  @discardableResult
  package func drain() -> Bool {
    var isPosted = false
    while sem_trywait(pointer) == 0 { isPosted = true }
    return isPosted
  }
}
