import Glibc
import System

/// Keeps what this process writes to stderr off the screen while one is shown: libraries complain there of broken files,
/// right into the picture. What they write waits in memory. Everything but `init` and `trim` may be done in a signal
/// handler: no memory, no locks, only system calls.
struct StderrCapture: ~Copyable {
  /// So much is told of what was written, the last of it, in bytes.
  static var most: off_t { 16_384 }

  /// The stderr of before; -1 where it does not lead to a terminal, and then it is left alone.
  private let original: Int32
  /// Where it leads meanwhile: a file in memory, so that nobody ever waits for a reader.
  private let memory: Int32

  /// Looks where stderr leads. [control]
  init() {
    guard isatty(STDERR_FILENO) == 1 else {
      (original, memory) = (-1, -1)
      return
    }
    original = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
    // Nobody else should find it.
    let name = "/visgraph-stderr-\(getpid())"
    memory = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0o600)
    shm_unlink(name)
    // Each writer adds to the end, also after the file was made short.
    if memory >= 0 { _ = fcntl(memory, F_SETFL, O_APPEND) }
  }

  deinit {
    if original >= 0 { close(original) }
    if memory >= 0 { close(memory) }
  }

  private var isPossible: Bool { original >= 0 && memory >= 0 }

  /// From now on stderr leads into memory.
  func begin() {
    guard isPossible else { return }
    ftruncate(memory, 0)
    dup2(memory, STDERR_FILENO)
  }

  /// Forgets what was written where it has become much, so that a library that never stops does not fill the memory.
  func trim() {
    guard isPossible, lseek(memory, 0, SEEK_END) > 16 * Self.most else { return }
    ftruncate(memory, 0)
  }

  /// From now on stderr leads where it did before. Where the process ends by a fault `isReported`: the last that was
  /// written says why.
  func end(isReported: Bool) {
    guard isPossible else { return }
    dup2(original, STDERR_FILENO)
    guard isReported else { return }
    let size = lseek(memory, 0, SEEK_END)
    var place = max(0, size - Self.most)
    withUnsafeTemporaryAllocation(byteCount: 512, alignment: 1) { bytes in
      while place < size {
        let count = Descriptor.read(bytes.baseAddress!, count: bytes.count, from: memory, at: Int64(place))
        let found = UnsafeRawBufferPointer(rebasing: bytes.prefix(max(0, count)))
        guard count > 0, Descriptor.write(found, to: original) == nil else { return }
        place += off_t(count)
      }
    }
  }
}
