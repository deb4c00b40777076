import Glibc

/// A file that only its owner may read, because it may contain keys. [control]
package struct PrivateFile {
  /// The descriptor for writing; its user closes it.
  package let descriptor: Int32
  /// The permissions of an existing file that others could access; nil: they could not, or it is not a regular file.
  package let wasOpenTo: mode_t?
  /// Whether others' permissions have been removed.
  package let isTightened: Bool

  /// Opens a file for appending, and creates it with mode 0600 if there is none; removes others' permissions from an
  /// existing one.
  package init(appendingTo path: String) throws(Errno) {
    descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0o600)
    guard descriptor >= 0 else { throw Errno() }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 != 0
    else {
      (wasOpenTo, isTightened) = (nil, false)
      return
    }
    wasOpenTo = status.st_mode & 0o777
    isTightened = fchmod(descriptor, status.st_mode & 0o700) == 0
  }
}
