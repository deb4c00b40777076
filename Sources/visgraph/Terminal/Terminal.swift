import Glibc
import Synchronization
import System

/// A terminal as a screen: lines go out, keys come in, and all is as before when it ends, however it ends. One at a
/// time, used by one thread. [control]
final class Terminal {
  private let memory: UnsafeMutablePointer<TerminalGuard>
  private var shown: [String] = []
  private var shownSize: (columns: Int, rows: Int) = (0, 0)
  private var decoder = KeyDecoder()
  private var isOpen = true
  /// Ends the wait for keys when it becomes readable; -1: nothing does.
  var bell: Int32 = -1

  /// Takes over the terminal that this process is attached to; nil if there is none, or another job has it.
  init?(path: String = "/dev/tty") {
    // Opened anew: not to wait is a property of the open file, and stdin's is shared with the shell.
    let file = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard file >= 0 else { return nil }
    memory = .allocate(capacity: 1)
    memory.initialize(to: TerminalGuard(file: file))
    TerminalSignals.watch(memory)
    guard memory.pointee.show() else {
      end()
      return nil
    }
  }

  deinit { close() }

  /// Columns and rows.
  var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(memory.pointee.file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return (80, 24)
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Shows the lines from the top; only those that changed are written. A terminal that takes nothing at the moment is
  /// left alone until the next call.
  func draw(_ lines: [Line], _ colors: TerminalStyle.ColorDepth) {
    guard isOpen, isReady() else { return }
    memory.pointee.errors.trim()
    let size = size
    if size != shownSize { redraw() }
    shownSize = size
    let rows = lines.prefix(size.rows).map { row in
      let line = row.cut(to: size.columns)
      // A full line leaves the cursor on its last column, where erasing would take the last character.
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

  /// Whether the terminal has gone for good: its window was closed, the connection broke.
  var hasHungUp: Bool {
    var request = pollfd(fd: memory.pointee.file, events: 0, revents: 0)
    return isOpen && poll(&request, 1, 0) == 1 && Int32(request.revents) & (POLLHUP | POLLERR) != 0
  }

  /// Draws everything anew next time.
  func redraw() { shown = [] }

  /// The keys that were pressed, after at most `seconds` of waiting for one.
  func keys(within seconds: Double) -> [Key] {
    var bell = pollfd(fd: bell, events: Int16(POLLIN), revents: 0)
    let milliseconds = Int32(max(0, min(60, seconds)) * 1000)
    // In the background reading would stop the process; and a terminal that has gone is always ready.
    guard isOpen, memory.pointee.isShown.load(ordering: .sequentiallyConsistent), memory.pointee.isForeground
    else {
      poll(&bell, 1, milliseconds)
      return []
    }
    var requests = [pollfd(fd: memory.pointee.file, events: Int16(POLLIN), revents: 0), bell]
    guard poll(&requests, 2, milliseconds) > 0, requests[0].revents != 0 else { return [] }
    guard var keys = takeKeys() else {
      poll(&bell, 1, milliseconds)
      return []
    }
    // Bounded, as bytes of a sequence without an end may keep coming.
    for _ in 0..<8 where decoder.isWaiting {
      guard poll(&requests, 1, KeyDecoder.escapeTimeout) > 0, let more = takeKeys() else {
        return keys + decoder.timedOut()
      }
      keys += more
    }
    return keys
  }

  /// The keys that have arrived; nil if nothing can be read.
  private func takeKeys() -> [Key]? {
    guard let bytes = try? Descriptor.readSome(256, from: memory.pointee.file), !bytes.isEmpty else {
      return nil
    }
    return decoder.keys(in: bytes[...])
  }

  /// Puts the terminal back as it was.
  func close() {
    guard isOpen else { return }
    memory.pointee.hide()
    TerminalSignals.unwatch()
    end()
  }

  private func end() {
    isOpen = false
    // The memory is kept: a signal handler may be about to look at it. The number must not become another file's.
    if !memory.pointee.isShown.load(ordering: .sequentiallyConsistent) { TerminalSignals.guarded = nil }
    Glibc.close(memory.pointee.file)
  }

  /// Whether there is a screen to draw on; shows it again after the process was stopped.
  private func isReady() -> Bool {
    if memory.pointee.hasResumed.exchange(false, ordering: .sequentiallyConsistent) {
      memory.pointee.hide()
      guard memory.pointee.show() else {
        memory.pointee.hasResumed.store(true, ordering: .sequentiallyConsistent)
        return false
      }
      redraw()
    }
    var request = pollfd(fd: memory.pointee.file, events: Int16(POLLOUT), revents: 0)
    return memory.pointee.isShown.load(ordering: .sequentiallyConsistent) && poll(&request, 1, 0) == 1
      && Int32(request.revents) & POLLOUT != 0
  }

  /// Writes with all signals held back, so that a handler that takes the screen away runs on another thread and can
  /// wait for the end. False if the terminal did not take it all within a second.
  private func write(_ text: String) -> Bool {
    SignalSet.allButFaults.whileBlocked {
      memory.pointee.isWriting.store(true, ordering: .sequentiallyConsistent)
      defer { memory.pointee.isWriting.store(false, ordering: .sequentiallyConsistent) }
      guard memory.pointee.isShown.load(ordering: .sequentiallyConsistent) else { return false }
      var text = text
      return text.withUTF8 {
        Descriptor.write(UnsafeRawBufferPointer($0), to: memory.pointee.file, patience: 1000) == nil
      }
    }
  }
}
