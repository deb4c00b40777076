import Glibc

/// An open regular file, which is read at any offset. Any thread but the audio callback's
///
/// Files come from untrusted sources. Anything but a regular file (a folder, a pipe without a writer, an endless
/// device) is refused unread, and so is a file larger than `most` bytes. The file is read by its descriptor and never
/// mapped: if it is truncated meanwhile, it ends early and does not kill the process. If it is deleted or replaced by
/// renaming, the old contents are read on. The descriptor closes with the object.
package final class RegularFile: Sendable {
  /// Why a file is refused. The caller words the message.
  package enum Refusal: Error, Equatable {
    /// It cannot be opened or read.
    case system(Errno)
    case folder
    /// It is a pipe, a device or a socket.
    case notRegular
    /// It has more bytes than `most`.
    case tooLarge
  }

  package let descriptor: Int32
  /// The path, as it was given.
  package let path: String
  /// Its size in bytes when it was opened.
  package let size: Int64
  /// The offset of its first byte in the descriptor's file: 0 for a whole file.
  package let base: Int64
  /// The whole file of a part, which owns the descriptor; nil if this is a whole file.
  private let whole: RegularFile?

  /// Opens the file at a path.
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
    // From here on all properties are set, so `deinit` closes the descriptor if an error is thrown.
    if let failure { throw .system(failure) }
    if status.st_mode & S_IFMT == S_IFDIR { throw .folder }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
    guard size <= Int64(most) else { throw .tooLarge }
  }

  /// Makes a file of a part of another one.
  package init(_ file: RegularFile, part: Range<Int64>) {
    let part = part.clamped(to: 0..<file.size)
    (descriptor, path, size) = (file.descriptor, file.path, Int64(part.count))
    (base, whole) = (file.base + part.lowerBound, file)
  }

  deinit { if whole == nil, descriptor >= 0 { close(descriptor) } }

  /// Reads `count` bytes from offset `place`. Returns how many were read: fewer at the end, −1 if the disk fails.
  package func read(_ bytes: UnsafeMutableRawPointer, count: Int, at place: Int64) -> Int {
    let count = whole == nil ? count : Int(max(0, min(Int64(count), size - place)))
    return count == 0 ? 0 : Descriptor.read(bytes, count: count, from: descriptor, at: base + place)
  }

  /// Reads at most `count` bytes from offset `place`; fewer at the end or if the disk fails.
  package func bytes(at place: Int64, count: Int) -> [UInt8] {
    guard place >= 0, place < size, count > 0 else { return [] }
    let room = Int(min(Int64(count), size - place))
    return [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
      filled = max(0, read(buffer.baseAddress!, count: room, at: place))
    }
  }

  /// Reads all bytes of a file. Throws if there are more than `most`, even if the file has grown meanwhile.
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

  /// Numbers that identify a version of a file: inode, size, and time of modification in seconds and nanoseconds. Nil
  /// for a missing or an empty file.
  package static func stamp(_ path: String) -> [Int]? {
    var status = stat()
    guard stat(path.systemPath, &status) == 0, status.st_size > 0 else { return nil }
    return [
      Int(status.st_ino), Int(status.st_size), Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec),
    ]
  }

  /// Whether a descriptor is that of a regular file.
  package static func isRegular(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}

/// The real path of a file or folder, with links resolved.
package struct RealPath: Sendable {
  /// The absolute path without links.
  package let text: String

  /// Resolves a path; nil if nothing is there.
  package init?(_ path: String) {
    guard let found = realpath(path.systemPath, nil) else { return nil }
    defer { free(found) }
    text = FileName.text(
      UnsafeBufferPointer(start: found, count: strlen(found)).map { UInt8(bitPattern: $0) })
  }

  /// Whether it is one of these folders or lies inside one. `folders` must be real paths, too.
  package func isWithin(_ folders: [String]) -> Bool {
    folders.contains { text == $0 || text.hasPrefix($0.hasSuffix("/") ? $0 : $0 + "/") }
  }
}
