import Glibc

/// Replaces files as a whole: whoever reads one, at whatever moment, and after whatever crash, has the old bytes or the new.
/// Any thread but the audio callback's
package enum ReplacedFile {
  /// Writes a file beside the one at a path, has it lie on the disk, and gives it that path. Where a link lies there, what it
  /// leads to is replaced. A file that is replaced hands on its permissions; a
  /// new one has those that the user's umask leaves.
  package static func write(_ bytes: [UInt8], to path: String) throws(Errno) {
    let place = RealPath(path)?.text ?? path
    let new = place + ".new"
    var status = stat()
    let mode = stat(place, &status) == 0 ? status.st_mode & 0o777 : nil
    // What a process that was killed has left behind goes; whatever else is called so stays, and is not waited for.
    if lstat(new, &status) == 0, status.st_mode & S_IFMT == S_IFREG { unlink(new) }
    let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, mode ?? 0o666)
    guard descriptor >= 0 else { throw Errno() }
    var failure = Descriptor.write(bytes, to: descriptor)
    if failure == nil, let mode, fchmod(descriptor, mode) != 0 { failure = Errno() }
    if failure == nil, fdatasync(descriptor) != 0 { failure = Errno() }
    if close(descriptor) != 0, failure == nil { failure = Errno() }
    if failure == nil, rename(new, place) != 0 { failure = Errno() }
    if let failure {
      unlink(new)
      throw failure
    }
  }
}
