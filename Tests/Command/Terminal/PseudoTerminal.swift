import Glibc
import TestSupport

/// A terminal without a screen, with a process on it that has it for its own.
final class PseudoTerminal {
  private var master: Int32
  private let slave: Int32
  /// The path of the terminal.
  let name: String
  private(set) var process: pid_t = 0
  /// All that the process has written to it.
  private(set) var output = ""
  private var bytes: [UInt8] = []

  init(columns: UInt16 = 80, rows: UInt16 = 24) throws {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    var (master, slave): (Int32, Int32) = (-1, -1)
    var path = [CChar](repeating: 0, count: 128)
    guard openpty(&master, &slave, &path, nil, &size) == 0 else {
      throw Child.Failure(description: "no terminal")
    }
    _ = fcntl(master, F_SETFD, FD_CLOEXEC)
    _ = fcntl(slave, F_SETFD, FD_CLOEXEC)
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
    (self.master, self.slave) = (master, slave)
    name = path.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  deinit {
    if process > 0 {
      kill(-process, SIGKILL)
      kill(process, SIGKILL)
      _ = ending(of: process)
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
    let output = SpawnedDescriptor.path(prints ? name : "/dev/null", O_WRONLY)
    process = try spawn(
      program, [0: .path(name, O_RDWR), 1: output, 2: output], environment: environment, inNewSession: true)
  }

  /// Waits until the process has written `text`, after the first `offset` characters. False if it does not.
  func shows(_ text: String, within seconds: Double = 20) -> Bool { shows(anyOf: [text], within: seconds) }

  /// Waits until the process has written one of several texts.
  func shows(anyOf texts: [String], within seconds: Double = 20) -> Bool {
    poll(within: seconds) {
      take()
      return texts.contains { output.contains($0) }
    }
  }

  /// Waits for the end of the process; its exit code, or minus the signal that ended it.
  func end(within seconds: Double = 20) -> Int32? {
    var code: Int32?
    let hasEnded = poll(within: seconds) {
      take()
      code = ending(of: process, waits: false)
      return code != nil
    }
    guard hasEnded else { return nil }
    take()
    process = 0
    return code
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
