import CRealtime
import Glibc
import System

/// Looks whether files have been written since they were last looked at; survives editors that replace a file. [control]
struct FileWatch {
  private let path: String
  /// What each file was like; empty for one that is not there.
  private var seen: [String: [Int]] = [:]
  /// When the files were read that the watched one names.
  private var readAt: timespec

  init(_ path: String) {
    self.path = path
    seen[path] = RegularFile.stamp(path) ?? []
    readAt = WallClock.now
  }

  /// Follows the files that the watched one names, in place of those before. They have been read since the watch was
  /// made, or since it last reported a change.
  mutating func follow(_ files: [String]) {
    seen = [path: seen[path] ?? []]
    let now = WallClock.now
    for file in files where file != path {
      let stamp = RegularFile.stamp(file) ?? []
      // One written while it was read may have been read as it was before.
      seen[file] = stamp.count == 4 && Self.lies(stamp, readAt, now) ? [] : stamp
    }
  }

  /// Whether any has changed since the last call; a file that is gone for a moment has not.
  mutating func hasChanged() -> Bool {
    var changed: [(String, [Int])] = []
    for (path, before) in seen {
      if let now = RegularFile.stamp(path), now != before { changed.append((path, now)) }
    }
    for (path, now) in changed { seen[path] = now }
    if !changed.isEmpty { readAt = WallClock.now }
    return !changed.isEmpty
  }

  /// Whether a file was written between two times; the clock of files is some milliseconds behind.
  private static func lies(_ stamp: [Int], _ first: timespec, _ last: timespec) -> Bool {
    let written = Double(stamp[2]) + Double(stamp[3]) / 1e9
    let (first, last) = (Double(first.tv_sec) + Double(first.tv_nsec) / 1e9, Double(last.tv_sec) + 1)
    return written >= first - 0.02 && written <= last
  }
}
