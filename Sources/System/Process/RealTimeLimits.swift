import CSyscalls
import Glibc

/// What the system lets this process have that sound in real time wants. Any thread but the audio callback's
///
/// Each is tried and not read from the limits: capabilities and control groups have a say, too.
package struct RealTimeLimits: Equatable, Sendable {
  /// Whether threads may have real-time priorities.
  package var hasPriority: Bool
  /// Whether as much memory may be kept from being swapped out as a JACK client keeps.
  package var hasMemoryLock: Bool

  /// Some limits.
  package init(hasPriority: Bool, hasMemoryLock: Bool) {
    self.hasPriority = hasPriority
    self.hasMemoryLock = hasMemoryLock
  }

  /// What JACK's library locks of the memory that it shares with the server, about 100 MB, and room for the client's own,
  /// in bytes.
  private static let lockedMemory = 256 << 20

  /// Tries a priority of SCHED_FIFO on the calling thread, which has its own again afterwards, and a lock on memory that
  /// is never touched.
  package static func found(priority: Int32) -> RealTimeLimits {
    RealTimeLimits(
      hasPriority: vg_may_run_in_real_time(priority) != 0, hasMemoryLock: vg_may_lock(lockedMemory) != 0)
  }
}

/// Who we are to the system.
package enum ProcessOwner {
  /// The name of the user that we run as; the number where that user has none.
  package static var name: String {
    let user = geteuid()
    guard let entry = getpwuid(user), let name = entry.pointee.pw_name else { return String(user) }
    return String(cString: name)
  }
}
