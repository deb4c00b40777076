import Glibc

/// Reads whole files that are regular and not too large. [control]
enum InputFile {
  /// The most bytes of a file.
  static let most = 64 << 20

  /// The bytes of a file. Throws when it is missing, not a regular file, too large, or cannot be read.
  static func bytes(of path: String, called name: String) throws(ImportFault) -> [UInt8] {
    // Opening a pipe would wait for a writer for ever.
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { throw ImportFault("no-file", "\(name): there is no such file") }
      throw ImportFault("unreadable-file", "\(name): \(reason(errno))")
    }
    defer { close(file) }
    var facts = stat()
    guard fstat(file, &facts) == 0 else { throw ImportFault("unreadable-file", "\(name): \(reason(errno))") }
    guard facts.st_mode & S_IFMT == S_IFREG else {
      throw ImportFault("not-a-file", "\(name): is a folder, a pipe or a device; a regular file is needed")
    }
    guard facts.st_size <= most else {
      throw ImportFault("file-too-large", "\(name): has more than \(most >> 20) MB")
    }
    let size = Int(facts.st_size)
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let got = Glibc.read(file, buffer.baseAddress! + count, size - count)
        if got < 0 && errno == EINTR { continue }
        if got < 0 { failure = errno }
        guard got > 0 else { return }
        count += got
      }
    }
    if failure != 0 { throw ImportFault("unreadable-file", "\(name): \(reason(failure))") }
    return bytes
  }

  /// What the system says of an error.
  static func reason(_ number: Int32) -> String { String(cString: strerror(number)) }
}
