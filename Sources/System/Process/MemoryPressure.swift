import Glibc

/// Detects that the machine or the control group of this process runs short of memory. [one]
///
/// It polls two counters of the kernel: how long tasks have waited for memory (pressure stall information,
/// `/proc/pressure/memory`), and how often the control group (cgroup v2) of the process has reached a limit
/// (`memory.events`). The kernel's triggers would need root before Linux 6.5.
package struct MemoryPressure {
  /// The kernel's file with the time for which tasks have waited for memory.
  package static let pressureFile = "/proc/pressure/memory"
  /// Memory is short if some task waits for it during more than this share of the time.
  static let limit = 0.1
  /// In seconds: the shortest interval between two readings, and how long a shortage is reported.
  private static let (pause, hold) = (1.0, 10.0)

  private let files: (pressure: String, events: String?)
  /// The counters at the last reading: seconds of waiting, and limits reached.
  private var stalled: Double?
  private var limitsReached: Int?
  /// The time of the last reading in seconds.
  private var last: Double
  /// The time until which a shortage is reported.
  private var end = -Double.infinity

  /// Begins at a time in seconds of a monotonic clock. Nil if the system has neither counter.
  package init?(
    pressure: String = MemoryPressure.pressureFile, events: String? = MemoryPressure.eventsFile,
    at time: Double
  ) {
    files = (pressure, events)
    last = time
    stalled = Self.stalled(pressure)
    limitsReached = events.flatMap(Self.limitsReached)
    if stalled == nil && limitsReached == nil { return nil }
  }

  /// Whether memory is short at a time in seconds of a monotonic clock; reads the counters at most once a second.
  package mutating func isShort(at time: Double) -> Bool {
    if time - last >= Self.pause {
      let (stalled, limitsReached) = (Self.stalled(files.pressure), files.events.flatMap(Self.limitsReached))
      if let before = self.stalled, let stalled, stalled - before > Self.limit * (time - last) {
        end = time + Self.hold
      }
      if let before = self.limitsReached, let limitsReached, limitsReached > before { end = time + Self.hold }
      (self.stalled, self.limitsReached, last) = (stalled, limitsReached, time)
    }
    return time < end
  }

  /// The path of `memory.events` of this process's control group; nil if it is in none.
  package static var eventsFile: String? {
    let groups = text("/proc/self/cgroup") ?? ""
    guard let own = groups.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else { return nil }
    let path = "/sys/fs/cgroup\(own.dropFirst(3))/memory.events"
    return access(path, R_OK) == 0 ? path : nil
  }

  /// How long some task has waited for memory since the machine started, in seconds.
  private static func stalled(_ path: String) -> Double? {
    let line = text(path)?.split(separator: "\n").first { $0.hasPrefix("some ") }
    let total = line?.split(separator: " ").first { $0.hasPrefix("total=") }
    return total.flatMap { Double($0.dropFirst(6)) }.map { $0 * 1e-6 }
  }

  /// How often the control group has reached its hard or soft limit.
  private static func limitsReached(_ path: String) -> Int? {
    text(path)?.split(separator: "\n").reduce(into: 0) { sum, line in
      let words = line.split(separator: " ")
      if words.count == 2, ["high", "max", "oom"].contains(words[0]) { sum += Int(words[1]) ?? 0 }
    }
  }

  private static func text(_ path: String) -> String? {
    (try? RegularFile.bytes(of: path, most: 65_536)).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// Free space on disks. Any thread but the audio callback's; waits for a disk that hangs.
package enum DiskSpace {
  /// Bytes that this user may still write on the disk of a file, which need not exist. Nil if the system call fails.
  package static func free(for path: String) -> UInt64? {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    var room = statvfs()
    guard statvfs(path, &room) == 0 || statvfs(folder, &room) == 0 else { return nil }
    return UInt64(room.f_bavail) * UInt64(room.f_frsize)
  }
}
