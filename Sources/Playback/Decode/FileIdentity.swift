import Glibc

/// What the system knows a file by: as long as it stays the same, so do the file's bytes, as far as anybody can tell
/// without reading them. [any]
public struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let node: UInt64
  private let size: Int64
  /// When it was changed last, in seconds and nanoseconds.
  private let seconds: Int64
  private let nanoseconds: Int64

  /// Asks the system; nil when nothing lies at the path.
  public init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    node = UInt64(status.st_ino)
    size = Int64(status.st_size)
    seconds = Int64(status.st_mtim.tv_sec)
    nanoseconds = Int64(status.st_mtim.tv_nsec)
  }
}
