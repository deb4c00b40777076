import Glibc

/// A file that only its owner may read, because it may contain keys. [control]
package struct PrivateFile {
  /// The descriptor for writing; its user closes it.
  package let descriptor: Int32
  /// The permissions of an existing file that other users could access. Nil if they could not, or if it is no regular
  /// file.
  package let wasOpenTo: mode_t?
  /// Whether the permissions of other users have been removed.
  package let isTightened: Bool

  /// Opens a file for appending. Creates it with mode 0600 if there is none, and otherwise removes the permissions of
  /// other users.
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
