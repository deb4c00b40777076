import Glibc
import System

/// Tells when a program does nothing any more and is to be ended; not before an end is asked for.
///
/// It does something when it uses a processor, or when the file that it writes changes: what is called ffmpeg may only
/// have started what does the work.
final class ProcessWatchdog: Sendable {
  private struct Seen: Equatable {
    var worked: Int?
    var size = -1
    var changed = -1
  }

  private let path: String?
  private let seconds: Double
  private let isStopping: @Sendable () -> Bool
  private let last = Locked<(seen: Seen, at: Double)?>(nil)

  /// `seconds` of nothing are borne once `isStopping`; `path` is what it writes.
  init(path: String?, seconds: Double, isStopping: @escaping @Sendable () -> Bool) {
    self.path = path
    self.seconds = seconds
    self.isStopping = isStopping
  }

  /// Whether it has done nothing for too long, when it has worked so long in all. Any thread
  func isOver(worked: Int?) -> Bool {
    guard isStopping() else { return false }
    var seen = Seen(worked: worked)
    var facts = stat()
    if let path, stat(path, &facts) == 0 {
      seen.size = Int(facts.st_size)
      seen.changed = Int(facts.st_mtim.tv_sec) * 1_000_000_000 + Int(facts.st_mtim.tv_nsec)
    }
    let now = MonotonicClock.seconds
    return last.withLock { last in
      guard let before = last, before.seen == seen else {
        last = (seen, now)
        return false
      }
      return now - before.at >= seconds
    }
  }
}
