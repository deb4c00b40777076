import Glibc
import Synchronization
import System

/// What signal handlers need to put a terminal back as it was. Everything here may be done in a signal handler: no
/// memory, no locks, only system calls that POSIX lists as safe there.
struct TerminalGuard: ~Copyable {
  /// The terminal; opened for this alone.
  let file: Int32
  /// How it was before.
  var original = termios()
  /// Whether the screen is shown and must be taken away.
  let isShown = Atomic<Bool>(false)
  /// Whether a thread writes at this moment, with signals held back.
  let isWriting = Atomic<Bool>(false)
  /// Whether the process was stopped and goes on, so that the screen must be shown again.
  let hasResumed = Atomic<Bool>(false)
  /// Keeps others from writing into the screen.
  let errors = StderrCapture()

  /// Other screen, no cursor, no automatic line breaks.
  static var enter: StaticString { "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[0m\u{1B}[2J" }
  static var leave: StaticString { "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l" }

  init(file: Int32) { self.file = file }

  /// Whether this process may change the terminal without being stopped for it.
  var isForeground: Bool { tcgetpgrp(file) == getpgrp() }

  /// Shows an empty screen and takes keys one by one, without echo. False if the terminal cannot.
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
    errors.begin()
    return true
  }

  /// Puts everything back, once. `isFault`: what was written to stderr meanwhile may say why, and is shown.
  func hide(isFault: Bool = false) {
    guard isShown.exchange(false, ordering: .sequentiallyConsistent) else { return }
    // A thread that is writing has signals held back, so this is another one: it gets 0.2 s to finish.
    var patience = 100
    while isWriting.load(ordering: .sequentiallyConsistent), patience > 0 {
      poll(nil, 0, 2)
      patience -= 1
    }
    write(Self.leave)
    var original = original
    if isForeground { tcsetattr(file, TCSANOW, &original) }
    errors.end(isReported: isFault)
  }

  private func write(_ text: StaticString) {
    let bytes = UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    _ = Descriptor.write(bytes, to: file, patience: 200)
  }
}

/// Keeps what this process writes to stderr off the screen while one is shown: libraries complain there of broken files,
/// right into the picture. What they write waits in memory. Everything but `init` and `trim` may be done in a signal
/// handler: no memory, no locks, only system calls.
struct StderrCapture: ~Copyable {
  /// So much is shown of what was written, the last of it, in bytes.
  static var most: off_t { 16_384 }

  /// The stderr of before; -1 where it does not lead to a terminal, and then it is left alone.
  private let original: Int32
  /// Where it leads meanwhile: a file in memory, so that nobody ever waits for a reader.
  private let memory: Int32
  /// What is shown at the end goes through here: a handler may take no memory, as what it interrupts may be taking some.
  private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 512, alignment: 1)

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
    piece.deallocate()
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
    while place < size {
      let count = Descriptor.read(piece.baseAddress!, count: piece.count, from: memory, at: Int64(place))
      let found = UnsafeRawBufferPointer(start: piece.baseAddress, count: max(0, count))
      guard count > 0, Descriptor.write(found, to: original) == nil else { return }
      place += off_t(count)
    }
  }
}
