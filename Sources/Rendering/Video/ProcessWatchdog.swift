import Glibc
import System

/// Detects a process that does nothing any more, once the user has asked for the end.
///
/// Processor time or a change of the output file counts as work. The file is watched, too, because `ffmpeg` may be a
/// script that started the real encoder.
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

  /// `seconds` is the time without work after which the process is over, once `isStopping` returns true. `path` is
  /// the file that it writes.
  init(path: String?, seconds: Double, isStopping: @escaping @Sendable () -> Bool) {
    self.path = path
    self.seconds = seconds
    self.isStopping = isStopping
  }

  /// Whether the process has done nothing for too long. `worked` is its processor time so far, nil if unknown. [any]
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
