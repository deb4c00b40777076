import Glibc

/// A file that its owner alone may read, as keys may stand in it. [control]
package struct PrivateFile {
  /// Where it is written; the code that takes it over closes it.
  package let descriptor: Int32
  /// The permissions of one that was there, where others could read or write it; nil: they could not, or it is no regular file.
  package let wasOpenTo: mode_t?
  /// Whether that is so no more.
  package let isTightened: Bool

  /// Opens a file to add to, and makes it where there is none (0600); of one that is there the rights of others are taken.
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
