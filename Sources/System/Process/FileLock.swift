import CSyscalls
import Glibc

/// A lock on a file, which holds between processes; it is released with the object or the process. Any thread but the
/// audio callback's
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
      // Tries again if the file was replaced meanwhile: the lock would be on the old one.
      if failure == nil, Self.lies(found, at: path) {
        descriptor = found
        return
      }
      close(found)
      if let failure { throw failure }
    }
  }

  /// Locks a file that has not been given its path yet.
  package init(_ file: WholeFile) throws(Refusal) {
    descriptor = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else { throw .system(Errno()) }
    if let failure = Self.lock(descriptor) { throw failure }
  }

  deinit {
    guard descriptor >= 0 else { return }
    // A program that another thread starts has a copy of the descriptor until it is executed, and the lock would last as long.
    vg_unlock_file(descriptor)
    close(descriptor)
  }

  private static func lock(_ descriptor: Int32) -> Refusal? {
    if vg_lock_file(descriptor) == 0 { return nil }
    return errno == EWOULDBLOCK ? .taken : .system(Errno())
  }

  private static func lies(_ descriptor: Int32, at path: String) -> Bool {
    var (own, there) = (stat(), stat())
    return fstat(descriptor, &own) == 0 && stat(path, &there) == 0 && own.st_ino == there.st_ino
      && own.st_dev == there.st_dev
  }
}
