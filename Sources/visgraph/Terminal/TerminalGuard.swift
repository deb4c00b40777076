import Glibc
import Synchronization
import System

/// The data with which signal handlers restore a terminal. Every method is async-signal-safe (signal-safety(7)): no
/// allocation, no lock.
struct TerminalGuard: ~Copyable {
  /// The terminal's descriptor, opened for this alone.
  let file: Int32
  /// The settings to restore.
  var original = termios()
  /// Whether the screen is shown, so that the terminal must be restored.
  let isShown = Atomic<Bool>(false)
  /// Whether a thread writes to the terminal now. Its signals are blocked meanwhile.
  let isWriting = Atomic<Bool>(false)
  /// Whether the process was continued after a stop, so that the screen must be shown again.
  let hasResumed = Atomic<Bool>(false)
  /// Captures stderr while the screen is shown.
  let stderrCapture = StderrCapture()

  // Alternate screen, hidden cursor, no autowrap, reset of styles, clear. `leave` undoes it.
  static var enter: StaticString { "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[0m\u{1B}[2J" }
  static var leave: StaticString { "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l" }

  init(file: Int32) { self.file = file }

  /// Whether the process is in the foreground: else a change of the terminal stops it (SIGTTOU).
  var isForeground: Bool { tcgetpgrp(file) == getpgrp() }

  /// Shows an empty screen and reads keys without line buffering and echo. False if the terminal refuses.
  mutating func show() -> Bool {
    guard isForeground, tcgetattr(file, &original) == 0 else { return false }
    var raw = original
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
    raw.c_iflag &= ~tcflag_t(IXON)
    withUnsafeMutableBytes(of: &raw.c_cc) {
      $0[Int(VMIN)] = 1
      $0[Int(VTIME)] = 0
    }
    isShown.store(true, ordering: .sequentiallyConsistent)
    guard tcsetattr(file, TCSANOW, &raw) == 0 else {
      isShown.store(false, ordering: .sequentiallyConsistent)
      return false
    }
    write(Self.enter)
    stderrCapture.begin()
    return true
  }

  /// Restores the terminal, once. With `isFault`, prints the captured stderr, which may hold the reason.
  func hide(isFault: Bool = false) {
    guard isShown.exchange(false, ordering: .sequentiallyConsistent) else { return }
    // A writing thread has its signals blocked, so it is another thread: it gets 0.2 s to finish.
    var tries = 100
    while isWriting.load(ordering: .sequentiallyConsistent), tries > 0 {
      poll(nil, 0, 2)
      tries -= 1
    }
    write(Self.leave)
    var original = original
    if isForeground { tcsetattr(file, TCSANOW, &original) }
    stderrCapture.end(isReported: isFault)
  }

  private func write(_ text: StaticString) {
    let bytes = UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    _ = Descriptor.write(bytes, to: file, timeout: 200)
  }
}

/// Captures stderr while the screen is shown: libraries print warnings there, which would damage the screen. The text
/// is kept in memory. All but `init` and `trim` is async-signal-safe (signal-safety(7)): no allocation, no lock.
struct StderrCapture: ~Copyable {
  /// How many of the last bytes are printed at the end.
  static var most: off_t { 16_384 }

  /// The original stderr; -1: it is no terminal, and nothing is captured.
  private let original: Int32
  /// The file that replaces it: in memory, so that a write never blocks.
  private let captureFile: Int32
  /// A buffer for the output at the end, allocated here because a handler may not allocate.
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 512, alignment: 1)

  /// Checks whether stderr is a terminal. [control]
  init() {
    guard isatty(STDERR_FILENO) == 1 else {
      (original, captureFile) = (-1, -1)
      return
    }
    original = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
    // Unlinked at once, so no other process can open it.
    let name = "/visgraph-stderr-\(getpid())"
    captureFile = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0o600)
    shm_unlink(name)
    // O_APPEND: writers go on at the end, also after `ftruncate`.
    if captureFile >= 0 { _ = fcntl(captureFile, F_SETFL, O_APPEND) }
  }

  deinit {
    buffer.deallocate()
    if original >= 0 { close(original) }
    if captureFile >= 0 { close(captureFile) }
  }

  private var isPossible: Bool { original >= 0 && captureFile >= 0 }

  /// Redirects stderr into memory.
  func begin() {
    guard isPossible else { return }
    ftruncate(captureFile, 0)
    dup2(captureFile, STDERR_FILENO)
  }

  /// Empties the file if it has grown beyond 256 KiB, so that a library cannot fill the memory.
  func trim() {
    guard isPossible, lseek(captureFile, 0, SEEK_END) > 16 * Self.most else { return }
    ftruncate(captureFile, 0)
  }

  /// Restores stderr. `isReported`: prints the last of the captured text, because the process ends by a fault.
  func end(isReported: Bool) {
    guard isPossible else { return }
    dup2(original, STDERR_FILENO)
    guard isReported else { return }
    let size = lseek(captureFile, 0, SEEK_END)
    var place = max(0, size - Self.most)
    while place < size {
      let count = Descriptor.read(
        buffer.baseAddress!, count: buffer.count, from: captureFile, at: Int64(place))
      let found = UnsafeRawBufferPointer(start: buffer.baseAddress, count: max(0, count))
      guard count > 0, Descriptor.write(found, to: original) == nil else { return }
      place += off_t(count)
    }
  }
}
