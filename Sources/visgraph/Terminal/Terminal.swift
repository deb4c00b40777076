import Glibc
import Synchronization
import System

/// A terminal in full-screen mode: draws lines, reads keys, and restores the terminal when the process ends, however it
/// ends. There is one at a time, and one thread uses it. [control]
final class Terminal {
  /// The data that signal handlers use, so it is never freed.
  private let guarded: UnsafeMutablePointer<TerminalGuard>
  /// The lines on the terminal, with their escape sequences.
  private var shown: [String] = []
  private var shownSize: (columns: Int, rows: Int) = (0, 0)
  private var decoder = KeyDecoder()
  /// The timeout within an escape sequence, in ms. Its bytes may arrive in pieces; a byte that comes later is a key of
  /// its own.
  private static let escapeTimeout: Int32 = 30
  private var isOpen = true
  /// A descriptor that ends the wait for keys when it becomes readable; -1: none.
  var wakeDescriptor: Int32 = -1

  /// Takes over the controlling terminal of this process; nil if there is none, or if another job is in the foreground.
  init?(path: String = "/dev/tty") {
    // Opened anew: O_NONBLOCK belongs to the open file, and the shell shares that of stdin.
    let file = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard file >= 0 else { return nil }
    guarded = .allocate(capacity: 1)
    guarded.initialize(to: TerminalGuard(file: file))
    TerminalSignals.watch(guarded)
    guard guarded.pointee.show() else {
      end()
      return nil
    }
  }

  deinit { close() }

  /// Columns and rows; 80 × 24 if the terminal does not state them.
  var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(guarded.pointee.file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return (80, 24)
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Draws the lines from the top; writes only those that have changed. If the terminal accepts no output now, this
  /// call does nothing.
  func draw(_ lines: [Line], _ colors: TerminalStyle.ColorDepth) {
    guard isOpen, isReady() else { return }
    guarded.pointee.stderrCapture.trim()
    let size = size
    if size != shownSize { redraw() }
    shownSize = size
    let rows = lines.prefix(size.rows).map { row in
      let line = row.cut(to: size.columns)
      // A full line leaves the cursor on its last column, where erasing would delete the last character.
      return line.escaped(colors) + (line.width < size.columns ? "\u{1B}[K" : "")
    }
    var text = shown.isEmpty ? "\u{1B}[0m\u{1B}[2J" : ""
    for row in 0..<max(rows.count, shown.count) {
      let new = row < rows.count ? rows[row] : "\u{1B}[K"
      if row < shown.count, shown[row] == new { continue }
      text += "\u{1B}[\(row + 1);1H\(new)"
    }
    shown = rows
    if !text.isEmpty, !write(text) { redraw() }
  }

  /// Whether the terminal is gone: its window was closed, or the connection broke.
  var hasHungUp: Bool {
    var request = pollfd(fd: guarded.pointee.file, events: 0, revents: 0)
    return isOpen && poll(&request, 1, 0) == 1 && Int32(request.revents) & (POLLHUP | POLLERR) != 0
  }

  /// Makes the next `draw` write all lines.
  func redraw() { shown = [] }

  /// The keys that were pressed. Waits for the first one for `seconds`, 0…60, and at most twice as long: a terminal that
  /// reports bytes and has none, such as one that is gone, costs a second wait. For the rest of an escape sequence it
  /// waits up to 8 times `escapeTimeout`, during which `wakeDescriptor` ends no wait.
  func keys(within seconds: Double) -> [Key] {
    var wakeRequest = pollfd(fd: wakeDescriptor, events: Int16(POLLIN), revents: 0)
    let milliseconds = Int32(max(0, min(60, seconds)) * 1000)
    // In the background, reading would stop the process (SIGTTIN). A terminal that is gone is always readable.
    guard isOpen, guarded.pointee.isShown.load(ordering: .sequentiallyConsistent),
      guarded.pointee.isForeground
    else {
      poll(&wakeRequest, 1, milliseconds)
      return []
    }
    var requests = [pollfd(fd: guarded.pointee.file, events: Int16(POLLIN), revents: 0), wakeRequest]
    guard poll(&requests, 2, milliseconds) > 0, requests[0].revents != 0 else { return [] }
    guard var keys = takeKeys() else {
      poll(&wakeRequest, 1, milliseconds)
      return []
    }
    // Bounded, because bytes of an endless sequence may keep coming.
    for _ in 0..<8 where decoder.isWaiting {
      guard poll(&requests, 1, Self.escapeTimeout) > 0, let more = takeKeys() else {
        return keys + decoder.timedOut()
      }
      keys += more
    }
    return keys
  }

  /// The keys that have arrived; nil if nothing can be read.
  private func takeKeys() -> [Key]? {
    guard let bytes = try? Descriptor.readSome(256, from: guarded.pointee.file), !bytes.isEmpty else {
      return nil
    }
    return decoder.keys(in: bytes[...])
  }

  /// Restores the terminal.
  func close() {
    guard isOpen else { return }
    guarded.pointee.hide()
    end()
  }

  /// Removes the signal handlers and closes the descriptor. The screen is hidden, or was never shown.
  private func end() {
    isOpen = false
    TerminalSignals.unwatch()
    // The memory is not freed: a signal handler may be about to read it. Handlers lose it before the descriptor is
    // closed, because its number may then belong to another file; one that has it already finds no screen to hide.
    TerminalSignals.guarded = nil
    Glibc.close(guarded.pointee.file)
  }

  /// Whether the screen can be drawn; shows it again after the process was stopped and continued.
  private func isReady() -> Bool {
    if guarded.pointee.hasResumed.exchange(false, ordering: .sequentiallyConsistent) {
      guarded.pointee.hide()
      guard guarded.pointee.show() else {
        guarded.pointee.hasResumed.store(true, ordering: .sequentiallyConsistent)
        return false
      }
      redraw()
    }
    var request = pollfd(fd: guarded.pointee.file, events: Int16(POLLOUT), revents: 0)
    return guarded.pointee.isShown.load(ordering: .sequentiallyConsistent) && poll(&request, 1, 0) == 1
      && Int32(request.revents) & POLLOUT != 0
  }

  /// Blocks all signals while it writes. So a handler that hides the screen runs on another thread, and can wait for
  /// the end of the write. False if the terminal did not accept everything within 1 s.
  private func write(_ text: String) -> Bool {
    SignalSet.allButFaults.whileBlocked {
      guarded.pointee.isWriting.store(true, ordering: .sequentiallyConsistent)
      defer { guarded.pointee.isWriting.store(false, ordering: .sequentiallyConsistent) }
      guard guarded.pointee.isShown.load(ordering: .sequentiallyConsistent) else { return false }
      var text = text
      return text.withUTF8 {
        Descriptor.write(UnsafeRawBufferPointer($0), to: guarded.pointee.file, timeout: 1000) == nil
      }
    }
  }
}
