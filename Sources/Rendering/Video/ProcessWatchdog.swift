import Glibc
import System

/// Detects that a process does no work any more. It begins when the user has asked for the end.
///
/// Processor time and changes of the output file count as work. The file is watched because `ffmpeg` may be a script
/// that has started the real encoder.
final class ProcessWatchdog: Sendable {
  /// The signs of work at a moment: processor time in µs, and the file's size and time of change in ns.
  private struct Seen: Equatable {
    var worked: Int?
    var size = -1
    var changed = -1
  }

  private let path: String?
  private let seconds: Double
  private let isStopping: @Sendable () -> Bool
  private let last = Locked<(seen: Seen, at: Double)?>(nil)

  /// Makes a watchdog. Once `isStopping` returns true, the process is over after `seconds` without work. `path`: the
  /// file that it writes.
  init(path: String?, seconds: Double, isStopping: @escaping @Sendable () -> Bool) {
    self.path = path
    self.seconds = seconds
    self.isStopping = isStopping
  }

  /// Whether the process has done no work for too long. `worked` is its processor time so far in µs, nil if unknown.
  /// [any]
  func isOver(worked: Int?) -> Bool {
    guard isStopping() else { return false }
    var seen = Seen(worked: worked)
    var status = stat()
    if let path, stat(path, &status) == 0 {
      seen.size = Int(status.st_size)
      seen.changed = Int(status.st_mtim.tv_sec) * 1_000_000_000 + Int(status.st_mtim.tv_nsec)
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
