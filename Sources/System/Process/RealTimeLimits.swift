import CSyscalls
import Glibc

/// Whether the system allows this process the means of real-time sound. Any thread but the audio callback's
///
/// Each is tried, and not read from the limits, because capabilities and control groups matter as well.
package struct RealTimeLimits: Equatable, Sendable {
  /// Whether threads may have real-time priorities.
  package var hasPriority: Bool
  /// Whether as much memory may be locked (kept from swapping) as a JACK client locks.
  package var hasMemoryLock: Bool

  /// Makes limits.
  package init(hasPriority: Bool, hasMemoryLock: Bool) {
    self.hasPriority = hasPriority
    self.hasMemoryLock = hasMemoryLock
  }

  /// Bytes of memory that a JACK client locks: libjack locks about 100 MB that it shares with the server, and the
  /// client its own memory.
  private static let lockedMemory = 256 << 20

  /// Tries a SCHED_FIFO priority on the calling thread, whose scheduling stays as it was, and a lock on memory that is
  /// never touched.
  package static func found(priority: Int32) -> RealTimeLimits {
    RealTimeLimits(
      hasPriority: vg_may_run_in_real_time(priority) != 0, hasMemoryLock: vg_may_lock(lockedMemory) != 0)
  }
}

/// The user of this process.
package enum ProcessOwner {
  /// The name of the effective user; the number if that user has no name.
  package static var name: String {
    let user = geteuid()
    guard let entry = getpwuid(user), let name = entry.pointee.pw_name else { return String(user) }
    return String(cString: name)
  }
}
