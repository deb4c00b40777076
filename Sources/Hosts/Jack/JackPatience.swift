import CRealtime
import Synchronization

/// How long the callback lets the server's transport wait for followers that are not ready. [audio]
///
/// A server has a limit of its own, but it may be 10 s: so long nobody shall wait for a file that cannot be read.
struct JackPatience: ~Copyable {
  /// The longest wait, in nanoseconds: what JACK's documentation gives as the usual limit.
  static var limit: UInt64 { @_noLocks get { 2_000_000_000 } }

  /// For which place.
  private let place = Atomic<Int64>(-1)
  /// Since when, in nanoseconds of the monotonic clock; 0 while nothing waits.
  private let since = Atomic<UInt64>(0)

  /// The wait is over.
  @_noLocks
  borrowing func forget() { since.store(0, ordering: .relaxed) }

  /// Waits on for `place`. False when it has been long enough.
  @_noLocks
  borrowing func lasts(at place: Int64) -> Bool {
    let now = vg_now()
    let begin = since.load(ordering: .relaxed)
    if begin == 0 || self.place.load(ordering: .relaxed) != place {
      self.place.store(place, ordering: .relaxed)
      since.store(now, ordering: .relaxed)
      return true
    }
    return now < begin || now &- begin < Self.limit
  }
}
