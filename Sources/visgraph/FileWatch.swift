import Glibc

/// Looks whether a file has been written since it was last looked at; survives editors that replace the file. [control]
struct FileWatch {
  private let path: String
  private var seen: [Int]

  init(_ path: String) {
    self.path = path
    seen = Self.look(path) ?? []
  }

  /// Whether it has changed since the last call; a file that is gone for a moment has not.
  mutating func hasChanged() -> Bool {
    guard let now = Self.look(path), now != seen else { return false }
    seen = now
    return true
  }

  private static func look(_ path: String) -> [Int]? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_size > 0 else { return nil }
    return [
      Int(status.st_ino), Int(status.st_size), Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec),
    ]
  }
}
