import Glibc

/// A regular file that is open and can be read at any place. Any thread but the audio callback's
///
/// Files may come from anybody: what is no file on a disk (a folder, a pipe that nobody writes into, a device without an
/// end) is refused unread, and so is what is larger than said. Reads through its descriptor, never by mapping: a file cut
/// short while it is read ends early, it does not kill the process. One that is deleted or replaced by renaming stays as it
/// was. Closed with the object.
package final class RegularFile: Sendable {
  /// Why a file is not read. The caller makes the sentence.
  package enum Refusal: Error, Equatable {
    /// It cannot be opened or read.
    case system(Errno)
    case folder
    /// A pipe, a device, a socket.
    case notRegular
    /// It has more bytes than may be read.
    case tooLarge
  }

  package let descriptor: Int32
  /// The file, as it was given.
  package let path: String
  /// Its bytes when it was opened.
  package let size: Int64
  /// Where its first byte lies behind the descriptor: 0 for a whole file.
  package let base: Int64
  /// The file that it is a part of, which closes the descriptor; nil for a whole file.
  private let whole: RegularFile?

  /// Opens what lies at a path.
  package init(_ path: String, most: Int = .max) throws(Refusal) {
    guard !path.utf8.contains(0) else { throw .system(Errno(EINVAL)) }
    // Without O_NONBLOCK the opening of a pipe would wait for a writer.
    descriptor = open(path.systemPath, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw .system(Errno()) }
    self.path = path
    (base, whole) = (0, nil)
    var status = stat()
    let failure = fstat(descriptor, &status) == 0 ? nil : Errno()
    size = Int64(status.st_size)
    // From here on the object closes it, whatever is thrown.
    if let failure { throw .system(failure) }
    if status.st_mode & S_IFMT == S_IFDIR { throw .folder }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
    guard size <= Int64(most) else { throw .tooLarge }
  }

  /// A part of a file, read as if it were one by itself.
  package init(_ file: RegularFile, part: Range<Int64>) {
    let part = part.clamped(to: 0..<file.size)
    (descriptor, path, size) = (file.descriptor, file.path, Int64(part.count))
    (base, whole) = (file.base + part.lowerBound, file)
  }

  deinit { if whole == nil, descriptor >= 0 { close(descriptor) } }

  /// Reads bytes from a place; fewer at the end, -1 where the disk fails.
  package func read(_ bytes: UnsafeMutableRawPointer, count: Int, at place: Int64) -> Int {
    let count = whole == nil ? count : Int(max(0, min(Int64(count), size - place)))
    return count == 0 ? 0 : Descriptor.read(bytes, count: count, from: descriptor, at: base + place)
  }

  /// Bytes from a place, as many of `count` as there are.
  package func bytes(at place: Int64, count: Int) -> [UInt8] {
    guard place >= 0, place < size, count > 0 else { return [] }
    let room = Int(min(Int64(count), size - place))
    return [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
      filled = max(0, read(buffer.baseAddress!, count: room, at: place))
    }
  }

  /// All bytes of a file, which may have `most`, also if it grows meanwhile.
  package static func bytes(of path: String, most: Int) throws(Refusal) -> [UInt8] {
    let file = try RegularFile(path, most: most)
    let bytes: [UInt8]?
    do throws(Errno) {
      bytes = try Descriptor.readAll(from: file.descriptor, most: most, expecting: Int(file.size))
    } catch {
      throw .system(error)
    }
    guard let bytes else { throw .tooLarge }
    return bytes
  }

  /// What tells one version of a file from another: which file it is, its bytes, seconds and nanoseconds of when it was
  /// written; nil where there is none, or nothing in it.
  package static func stamp(_ path: String) -> [Int]? {
    var status = stat()
    guard stat(path.systemPath, &status) == 0, status.st_size > 0 else { return nil }
    return [
      Int(status.st_ino), Int(status.st_size), Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec),
    ]
  }

  /// Whether an open descriptor is a regular file.
  package static func isRegular(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}

/// Where a file or a folder really lies, links followed.
package struct RealPath: Sendable {
  /// From the root, without links.
  package let text: String

  /// Asks the system; nil when nothing lies at the path.
  package init?(_ path: String) {
    guard let found = realpath(path.systemPath, nil) else { return nil }
    defer { free(found) }
    text = FileName.text(
      UnsafeBufferPointer(start: found, count: strlen(found)).map { UInt8(bitPattern: $0) })
  }

  /// Whether it is one of some folders, or lies in one, however deep; they are real paths as well.
  package func isWithin(_ folders: [String]) -> Bool {
    folders.contains { text == $0 || text.hasPrefix($0.hasSuffix("/") ? $0 : $0 + "/") }
  }
}
