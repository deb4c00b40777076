import CSyscalls
import Glibc

/// A lock on a file that other processes respect, too (flock). It is released with the object, or when the process
/// ends. Any thread but the audio callback's
package final class FileLock: Sendable {
  private let descriptor: Int32

  /// Why a file cannot be locked.
  package enum Refusal: Error, Equatable {
    /// Another process, or another lock of this one, holds it.
    case taken
    /// The file cannot be opened or locked.
    case system(Errno)
  }

  /// Locks the regular file at a path.
  package init(_ path: String) throws(Refusal) {
    while true {
      var found = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
      // A read-only file can be locked as well.
      if found < 0, errno == EACCES || errno == EROFS {
        found = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
      }
      guard found >= 0 else { throw .system(Errno()) }
      let failure = Self.lock(found)
      // If the file was replaced meanwhile, the lock is on the old one: tries again.
      if failure == nil, Self.lies(found, at: path) {
        descriptor = found
        return
      }
      close(found)
      if let failure { throw failure }
    }
  }

  /// Locks a file that does not have its path yet.
  package init(_ file: WholeFile) throws(Refusal) {
    descriptor = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else { throw .system(Errno()) }
    if let failure = Self.lock(descriptor) { throw failure }
  }

  deinit {
    guard descriptor >= 0 else { return }
    // Releases the lock itself: a child process that another thread starts meanwhile has a copy of the descriptor until
    // it executes its program, and would keep the lock.
    vg_unlock_file(descriptor)
    close(descriptor)
  }

  private static func lock(_ descriptor: Int32) -> Refusal? {
    if vg_lock_file(descriptor) == 0 { return nil }
    return errno == EWOULDBLOCK ? .taken : .system(Errno())
  }

  /// Whether the file of a descriptor is the one at a path.
  private static func lies(_ descriptor: Int32, at path: String) -> Bool {
    var (own, there) = (stat(), stat())
    return fstat(descriptor, &own) == 0 && stat(path, &there) == 0 && own.st_ino == there.st_ino
      && own.st_dev == there.st_dev
  }
}
