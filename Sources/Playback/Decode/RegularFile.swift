import Glibc

/// A regular file that is open and can be read at any place. [any]
///
/// Reads through its descriptor, never by mapping: a file cut short while it plays ends early, it does not kill the
/// process. One that is deleted or replaced by renaming stays as it was. Closed with the object.
final class RegularFile: Sendable {
  let descriptor: Int32
  /// The file, as it was given.
  let path: String
  /// Its bytes when it was opened, at least 1.
  let size: Int64

  /// Opens what lies at a path, refusing what is not a regular file with something in it.
  init(path: String) throws(AudioFault) {
    // Without O_NONBLOCK the opening of a pipe would wait for somebody to write into it.
    let descriptor = path.contains("\0") ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      let error = path.contains("\0") ? EINVAL : errno
      let code: AudioFault.Code = error == ENOENT || error == ENOTDIR ? .missing : .unreadable
      throw AudioFault(code, path: path, reason: text(strerror(error)))
    }
    var status = stat()
    var fault: AudioFault?
    if fstat(descriptor, &status) != 0 {
      fault = AudioFault(.unreadable, path: path, reason: text(strerror(errno)))
    } else if status.st_mode & S_IFMT == S_IFDIR {
      fault = AudioFault(.folder, path: path)
    } else if status.st_mode & S_IFMT != S_IFREG {
      fault = AudioFault(.notAFile, path: path)
    } else if status.st_size == 0 {
      fault = AudioFault(.empty, path: path, reason: "0 bytes")
    }
    if let fault {
      close(descriptor)
      throw fault
    }
    self.descriptor = descriptor
    self.path = path
    size = Int64(status.st_size)
  }

  deinit { close(descriptor) }

  /// Reads bytes from a place; fewer at the end, -1 where the disk fails.
  func read(_ bytes: UnsafeMutableRawPointer, count: Int, at place: Int64) -> Int {
    guard place >= 0 else { return 0 }
    var done = 0
    while done < count {
      let given = pread(descriptor, bytes + done, count - done, off_t(place) + off_t(done))
      if given < 0, errno == EINTR { continue }
      if given < 0 { return done > 0 ? done : -1 }
      if given == 0 { break }
      done += given
    }
    return done
  }

  /// Bytes from a place, as many of `count` as there are.
  func bytes(at place: Int64, count: Int) -> [UInt8] {
    guard place >= 0, place < size, count > 0 else { return [] }
    let room = Int(min(Int64(count), size - place))
    return [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
      filled = max(0, read(buffer.baseAddress!, count: room, at: place))
    }
  }
}

extension Array where Element == UInt8 {
  /// A whole number of 1 to 8 bytes, most significant first; nil beyond the end.
  func big(_ place: Int, _ width: Int) -> UInt64? {
    guard place >= 0, place + width <= count else { return nil }
    return self[place..<place + width].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// A whole number of 1 to 8 bytes, least significant first; nil beyond the end.
  func little(_ place: Int, _ width: Int) -> UInt64? {
    guard place >= 0, place + width <= count else { return nil }
    return self[place..<place + width].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Whether these letters stand at a place.
  func has(_ letters: StaticString, at place: Int = 0) -> Bool {
    guard place >= 0, place + letters.utf8CodeUnitCount <= count else { return false }
    return (0..<letters.utf8CodeUnitCount).allSatisfy { self[place + $0] == letters.utf8Start[$0] }
  }

  /// Four letters at a place; empty beyond the end.
  func letters(_ place: Int) -> String {
    guard place >= 0, place + 4 <= count else { return "" }
    return String(decoding: self[place..<place + 4], as: UTF8.self)
  }
}

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

/// Where a file really lies, links followed. [any]
public struct RealPath: Sendable {
  /// From the root, without links.
  public let text: String

  /// Asks the system; nil when nothing lies at the path.
  public init?(_ path: String) {
    guard let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    text = String(cString: found)
  }

  /// Whether it is one of some folders, or lies in one, however deep; they are real paths as well.
  public func isWithin(_ folders: [String]) -> Bool {
    folders.contains { text == $0 || text.hasPrefix($0.hasSuffix("/") ? $0 : $0 + "/") }
  }
}
