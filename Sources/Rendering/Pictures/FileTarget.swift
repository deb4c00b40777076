import Glibc
import Synchronization
import System

/// A file that is being written under another name beside its own, so that it appears whole or not at all.
struct FileTarget {
  /// What is written to. Who asked for the target closes it, then keeps or discards it.
  let file: Int32
  private let path: String
  /// The name while it is written; nil for what is no plain file (a device, a pipe), which is written to directly.
  private let draft: String?

  private static let drafts = Atomic<Int>(0)

  /// Opens a target. Throws when it exists and may not be replaced, or when its folder cannot be written to.
  static func open(_ path: String, replacing: Bool) throws(PictureError) -> FileTarget {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .unwritable(path, "that is no name of a file") }
    var status = stat()
    let exists = stat(path, &status) == 0
    if exists, !replacing { throw .exists(path) }
    if exists, status.st_mode & S_IFMT == S_IFDIR { throw .unwritable(path, "it is a folder") }
    if exists, status.st_mode & S_IFMT != S_IFREG {
      // Without waiting: a pipe that nobody reads would hold us for ever.
      let file = Glibc.open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
      guard file >= 0 else { throw Picture.fault(path, errno) }
      _ = fcntl(file, F_SETFL, O_WRONLY)
      return FileTarget(file: file, path: path, draft: nil)
    }
    // A file that may not be written to stays, even in a folder where it could be exchanged.
    if exists, access(path, W_OK) != 0 { throw Picture.fault(path, errno) }
    let real = exists ? RealPath(path)?.text ?? path : path
    let number = drafts.wrappingAdd(1, ordering: .relaxed).oldValue
    let folder = real.lastIndex(of: "/").map { String(real[...$0]) } ?? ""
    let draft = "\(folder).visgraph-\(getpid())-\(number).part"
    let file = Glibc.open(draft, O_WRONLY | O_CLOEXEC | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o666)
    guard file >= 0 else { throw Picture.fault(path, errno) }
    return FileTarget(file: file, path: real, draft: draft)
  }

  /// Gives the file its name.
  func keep(replacing: Bool) throws(PictureError) {
    guard let draft else { return }
    if !replacing {
      if link(draft, path) == 0 {
        unlink(draft)
        return
      }
      // File systems without links (FAT) cannot do it in one step.
      let code = errno
      guard code != EEXIST, access(path, F_OK) != 0 else {
        unlink(draft)
        throw .exists(path)
      }
    }
    guard rename(draft, path) != 0 else { return }
    let code = errno
    unlink(draft)
    throw Picture.fault(path, code)
  }

  /// Leaves nothing behind.
  func discard() {
    if let draft { unlink(draft) }
  }
}
