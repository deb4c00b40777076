import CSyscalls
import Glibc
import Synchronization

/// Writes a file atomically. A reader of the path gets either the old contents or all of the new ones, at any moment
/// and after any crash. Any thread but the audio callback's
///
/// The file is made in the folder of its path. If the file system supports O_TMPFILE, it has no name until it is
/// complete, so a killed process leaves nothing behind. Otherwise it has a unique name (`.visgraph-PID-N.part`). The
/// file that is replaced is the only one in the folder that changes.
package final class WholeFile {
  /// The descriptor for writing; closed with the object.
  package let descriptor: Int32
  /// Its final path, with links resolved.
  package let place: String
  /// Its temporary name; nil: it has none.
  private var draft: String?

  private static let drafts = Atomic<Int>(0)

  /// Begins a file. If the path is a link, the target of the link is replaced. The file gets the permissions of the
  /// file that it replaces; a new one gets those of the umask. Throws if the path is that of something other than a
  /// regular file, or if the existing file is not writable.
  package convenience init(_ path: String) throws(Errno) { try self.init(path, named: false) }

  /// Begins a file. `named`: with a temporary name from the beginning, as on file systems without O_TMPFILE.
  init(_ path: String, named: Bool) throws(Errno) {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw Errno(EINVAL) }
    var status = stat()
    let isThere = stat(path, &status) == 0
    if isThere {
      if status.st_mode & S_IFMT == S_IFDIR { throw Errno(EISDIR) }
      guard status.st_mode & S_IFMT == S_IFREG else { throw Errno(ENOTSUP) }
      if access(path, W_OK) != 0 { throw Errno() }
    }
    let place = isThere ? RealPath(path)?.text ?? path : path
    let mode: mode_t = isThere ? status.st_mode & 0o777 : 0o666
    var descriptor: Int32 = -1
    if !named, access("/proc/self/fd", X_OK) == 0 {
      let end = place.lastIndex(of: "/")
      let folder = end.map { $0 == place.startIndex ? "/" : String(place[..<$0]) } ?? "."
      descriptor = vg_open_unnamed(folder, mode)
    }
    var draft: String?
    if descriptor < 0 {
      draft = try Self.fresh(beside: place) { name in
        descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        return descriptor >= 0
      }
    }
    (self.descriptor, self.place, self.draft) = (descriptor, place, draft)
    if isThere, fchmod(descriptor, mode) != 0 { throw Errno() }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    if let draft { unlink(draft) }
  }

  /// Gives the file its path. A file that is there is replaced; with `replacing` false, throws EEXIST.
  package func keep(replacing: Bool = true) throws(Errno) {
    // A file without a name gets a link at its path, if the path is free.
    if draft == nil, linkat(AT_FDCWD, handle, AT_FDCWD, place, AT_SYMLINK_FOLLOW) == 0 { return }
    if draft == nil {
      guard errno == EEXIST, replacing else { throw Errno() }
      draft = try Self.fresh(beside: place) { [handle] in
        linkat(AT_FDCWD, handle, AT_FDCWD, $0, AT_SYMLINK_FOLLOW) == 0
      }
    }
    guard let draft else { return }
    if replacing {
      guard rename(draft, place) == 0 else { throw Errno() }
      self.draft = nil
    } else {
      try Self.move(draft, to: place)
      self.draft = nil
    }
  }

  /// A path that leads to the file by its descriptor.
  private var handle: String { "/proc/self/fd/\(descriptor)" }

  /// Tries new names in the same folder until `make` succeeds with one. Returns that name.
  private static func fresh(beside place: String, _ make: (String) -> Bool) throws(Errno) -> String {
    let folder = place.lastIndex(of: "/").map { String(place[...$0]) } ?? ""
    while true {
      let number = drafts.wrappingAdd(1, ordering: .relaxed).oldValue
      let name = "\(folder).visgraph-\(getpid())-\(number).part"
      if make(name) { return name }
      guard errno == EEXIST else { throw Errno() }
    }
  }

  /// Moves a file to another path if that is free; otherwise throws EEXIST.
  private static func move(_ path: String, to new: String) throws(Errno) {
    if link(path, new) == 0 {
      unlink(path)
      return
    }
    let failure = Errno()
    // File systems without hard links (FAT) cannot do this in one step.
    var status = stat()
    guard failure.number != EEXIST, lstat(new, &status) != 0 else { throw Errno(EEXIST) }
    guard rename(path, new) == 0 else { throw failure }
  }

  /// Flushes a file that another program has written to the disk, then gives it its path. A file that is there is
  /// replaced; with `replacing` false, throws EEXIST.
  package static func keep(_ draft: String, as path: String, replacing: Bool = true) throws(Errno) {
    let descriptor = open(draft.systemPath, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Errno() }
    let failure = fdatasync(descriptor) == 0 ? nil : Errno()
    close(descriptor)
    if let failure { throw failure }
    guard replacing else { return try move(draft, to: path) }
    if rename(draft, path) != 0 { throw Errno() }
  }

  /// Moves a file away, to the first free path of `PATH.1`, `PATH.2`, … `PATH.9999`. Returns that path.
  package static func moveAside(_ path: String) throws(Errno) -> String {
    for number in 1...9999 {
      let new = "\(path).\(number)"
      do throws(Errno) {
        try move(path, to: new)
        return new
      } catch {
        guard error == Errno(EEXIST) else { throw error }
      }
    }
    throw Errno(EEXIST)
  }

  /// Writes a file atomically and flushes it to the disk.
  package static func write(_ bytes: [UInt8], to path: String) throws(Errno) {
    let file = try WholeFile(path)
    try file.write(bytes)
    try file.keep()
  }

  /// Writes bytes and flushes them to the disk.
  package func write(_ bytes: [UInt8]) throws(Errno) {
    if let failure = Descriptor.write(bytes, to: descriptor) { throw failure }
    if fdatasync(descriptor) != 0 { throw Errno() }
  }
}
