import CSyscalls
import Glibc

/// A POSIX semaphore at a fixed address: each post lets one waiter go on. Any thread
///
/// The audio callback posts it through `pointer`, by `vg_wake` of CRealtime; nothing else here is for it.
package final class Semaphore: @unchecked Sendable {
  /// Posts to a semaphore; for callbacks of libraries, which must not touch an object. Only as long as that is there.
  package struct Poster: @unchecked Sendable {
    fileprivate let pointer: UnsafeMutablePointer<sem_t>

    /// Lets one waiter go on.
    package func post() { sem_post(pointer) }
  }

  /// For the audio callback.
  package let pointer: UnsafeMutablePointer<sem_t>

  /// One without a post.
  package init() {
    pointer = .allocate(capacity: 1)
    sem_init(pointer, 0, 0)
  }

  deinit {
    sem_destroy(pointer)
    pointer.deallocate()
  }

  /// What posts to it without the object.
  package var poster: Poster { Poster(pointer: pointer) }

  /// Lets one waiter go on.
  package func post() { sem_post(pointer) }

  /// Waits for a post, at most to the deadline. False when none came.
  package func wait(until deadline: Deadline) -> Bool {
    var moment = timespec(nanoseconds: deadline.time)
    return vg_semaphore_wait(pointer, &moment) != 0
  }

  /// Waits for a post, at most `seconds`. False when none came.
  package func wait(seconds: Double) -> Bool { wait(until: .after(seconds: seconds)) }

  /// Forgets every post that has come. False when none had.
  @discardableResult
  package func drain() -> Bool {
    var isPosted = false
    while sem_trywait(pointer) == 0 { isPosted = true }
    return isPosted
  }
}
