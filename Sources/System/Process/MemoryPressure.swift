import Glibc

/// Whether the machine, or what this process is allowed of it, runs short of memory. [one]
///
/// Looks at two things that the kernel counts: for how long anybody had to wait for memory (pressure stall information,
/// `/proc/pressure/memory`), and how often the process's control group (cgroup v2) came to a limit (`memory.events`).
/// Counts that are looked at now and then say the same as triggers of the kernel, which before Linux 6.5 only root may set.
package struct MemoryPressure {
  /// Where the kernel says how long anybody waited for memory.
  package static let pressureFile = "/proc/pressure/memory"
  /// The part of the time that some process has to wait for memory until it counts as short.
  static let limit = 0.1
  /// Between two looks, and how long what was seen holds, in seconds.
  private static let (pause, hold) = (1.0, 10.0)

  private let files: (pressure: String, events: String?)
  /// Seconds waited, and limits met, at the last look.
  private var stalled: Double?
  private var met: Int?
  private var last: Double
  private var end = -Double.infinity

  /// Begins to look at a time, in seconds; nil where the system tells nothing of it.
  package init?(
    pressure: String = MemoryPressure.pressureFile, events: String? = MemoryPressure.eventsFile,
    at time: Double
  ) {
    files = (pressure, events)
    last = time
    stalled = Self.stalled(pressure)
    met = events.flatMap(Self.met)
    if stalled == nil && met == nil { return nil }
  }

  /// Whether memory is short, at a time in seconds of a clock that only goes forward; looks at most once a second.
  package mutating func isShort(at time: Double) -> Bool {
    if time - last >= Self.pause {
      let (stalled, met) = (Self.stalled(files.pressure), files.events.flatMap(Self.met))
      if let before = self.stalled, let stalled, stalled - before > Self.limit * (time - last) {
        end = time + Self.hold
      }
      if let before = self.met, let met, met > before { end = time + Self.hold }
      (self.stalled, self.met, last) = (stalled, met, time)
    }
    return time < end
  }

  /// `memory.events` of the control group that this process is in; nil where it is in none.
  package static var eventsFile: String? {
    let groups = text("/proc/self/cgroup") ?? ""
    guard let own = groups.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else { return nil }
    let path = "/sys/fs/cgroup\(own.dropFirst(3))/memory.events"
    return access(path, R_OK) == 0 ? path : nil
  }

  /// For how long some thread has waited for memory since the machine was started, in seconds.
  private static func stalled(_ path: String) -> Double? {
    let line = text(path)?.split(separator: "\n").first { $0.hasPrefix("some ") }
    let total = line?.split(separator: " ").first { $0.hasPrefix("total=") }
    return total.flatMap { Double($0.dropFirst(6)) }.map { $0 * 1e-6 }
  }

  /// How often the control group came to a limit: of what it may have, and of what it should.
  private static func met(_ path: String) -> Int? {
    text(path)?.split(separator: "\n").reduce(into: 0) { sum, line in
      let words = line.split(separator: " ")
      if words.count == 2, ["high", "max", "oom"].contains(words[0]) { sum += Int(words[1]) ?? 0 }
    }
  }

  private static func text(_ path: String) -> String? {
    (try? RegularFile.bytes(of: path, most: 65_536)).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// The room on a disk. Any thread but the audio callback's; a disk that hangs is waited for.
package enum DiskSpace {
  /// Bytes that we may still write on the disk of a file, which need not be there yet; nil where nobody knows.
  package static func free(for path: String) -> UInt64? {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    var room = statvfs()
    guard statvfs(path, &room) == 0 || statvfs(folder, &room) == 0 else { return nil }
    return UInt64(room.f_bavail) * UInt64(room.f_frsize)
  }
}
