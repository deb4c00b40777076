import Glibc
import TestSupport

/// A terminal without a screen, with a process on it that has it for its own.
final class PseudoTerminal {
  private var master: Int32
  private let slave: Int32
  private let name: String
  private(set) var process: pid_t = 0
  /// All that the process has written to it.
  private(set) var output = ""
  private var bytes: [UInt8] = []

  init(columns: UInt16 = 80, rows: UInt16 = 24) throws {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    var (master, slave): (Int32, Int32) = (-1, -1)
    var path = [CChar](repeating: 0, count: 128)
    guard openpty(&master, &slave, &path, nil, &size) == 0 else { throw Failed() }
    _ = fcntl(master, F_SETFD, FD_CLOEXEC)
    _ = fcntl(slave, F_SETFD, FD_CLOEXEC)
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
    (self.master, self.slave) = (master, slave)
    name = path.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  struct Failed: Error {}

  deinit {
    if process > 0 {
      kill(-process, SIGKILL)
      kill(process, SIGKILL)
      var status: Int32 = 0
      waitpid(process, &status, 0)
    }
    if master >= 0 { close(master) }
    close(slave)
  }

  /// Closes the window: there is nobody at the other end any more.
  func hangUp() {
    close(master)
    master = -1
  }

  /// Starts a program with this as its terminal; what it prints itself goes nowhere, or here with `prints`.
  func start(_ program: [String], _ environment: [String], prints: Bool = false) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The first terminal that the leader of a new session opens becomes its own.
    posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
    posix_spawn_file_actions_addopen(&actions, 1, prints ? name : "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, prints ? name : "/dev/null", O_WRONLY, 0)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A test runs on a thread that holds signals back, and its program must not.
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    // The first is POSIX_SPAWN_SETSID, which the module of the C library leaves out.
    posix_spawnattr_setflags(&attributes, 0x80 | Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var arguments: [UnsafeMutablePointer<CChar>?] = program.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
    defer { for text in arguments + variables { free(text) } }
    guard posix_spawn(&process, program[0], &actions, &attributes, &arguments, &variables) == 0 else {
      throw Failed()
    }
  }

  /// Waits until the process has written `text`, after the first `offset` characters. False if it does not.
  func shows(_ text: String, within seconds: Double = 20) -> Bool {
    poll(within: seconds) {
      take()
      return output.contains(text)
    }
  }

  /// Waits for the end of the process; its exit code, or minus the signal that ended it.
  func end(within seconds: Double = 20) -> Int32? {
    var status: Int32 = 0
    let hasEnded = poll(within: seconds) {
      take()
      return waitpid(process, &status, WNOHANG) == process
    }
    guard hasEnded else { return nil }
    take()
    process = 0
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
  }

  func type(_ text: String) { _ = write(master, text, text.utf8.count) }

  func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  /// Whether it echoes and takes lines, as a shell wants it.
  var isCooked: Bool {
    var state = termios()
    tcgetattr(slave, &state)
    return state.c_lflag & tcflag_t(ECHO) != 0 && state.c_lflag & tcflag_t(ICANON) != 0
  }

  /// Forgets what was written so far.
  func clear() {
    take()
    bytes = []
    output = ""
  }

  private func take() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(master, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer.prefix(count)
    }
    output = String(decoding: bytes, as: UTF8.self)
  }
}
