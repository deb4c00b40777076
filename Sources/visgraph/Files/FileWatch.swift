import CRealtime
import Glibc
import System

/// Polls files for changes of their content. Works with editors that replace a file. [control]
struct FileWatch {
  private let path: String
  /// The stamp of each file at the last poll; empty: the file was missing or empty.
  private var seen: [String: [Int]] = [:]
  /// When the graph's files were read.
  private var readAt: timespec

  init(_ path: String) {
    self.path = path
    seen[path] = RegularFile.stamp(path) ?? []
    readAt = WallClock.now
  }

  /// Replaces the watched files by `files`, besides the graph file. They must have been read since `init`, or since the
  /// last reported change.
  mutating func follow(_ files: [String]) {
    seen = [path: seen[path] ?? []]
    let now = WallClock.now
    for file in files where file != path {
      let stamp = RegularFile.stamp(file) ?? []
      // A file that was written while it was read may have been read in its old version, so it counts as changed.
      seen[file] = stamp.count == 4 && Self.wasWritten(stamp, readAt, now) ? [] : stamp
    }
  }

  /// Whether a file has changed since the last call. A file that is missing or empty counts as unchanged.
  mutating func hasChanged() -> Bool {
    var changed: [(String, [Int])] = []
    for (path, before) in seen {
      if let now = RegularFile.stamp(path), now != before { changed.append((path, now)) }
    }
    for (path, now) in changed { seen[path] = now }
    if !changed.isEmpty { readAt = WallClock.now }
    return !changed.isEmpty
  }

  /// Whether a file was written between two times. Time stamps of files lag behind the clock by some ms.
  private static func wasWritten(_ stamp: [Int], _ first: timespec, _ last: timespec) -> Bool {
    let written = Double(stamp[2]) + Double(stamp[3]) / 1e9
    let (first, last) = (Double(first.tv_sec) + Double(first.tv_nsec) / 1e9, Double(last.tv_sec) + 1)
    return written >= first - 0.02 && written <= last
  }
}
