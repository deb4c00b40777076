import Dispatch
import Graphs
import Hosts
import System

/// The log of a run: lines on stderr, or messages of the screen while one is shown.
final class Log: Sendable {
  enum Loudness {
    case quiet, normal, verbose
  }

  private let loudness: Loudness
  /// Masks keys, because other users than their owner may read the log.
  private let mask: SecretMask
  private let writer = StderrWriter()
  /// The last messages, while a screen shows them; nil: none is shown.
  private let held = Locked<[LogLine]?>(nil)
  /// The maximum number of messages that are kept for a screen.
  private static let most = 10

  init(_ loudness: Loudness, _ mask: SecretMask = .unknown) { (self.loudness, self.mask) = (loudness, mask) }

  /// From now on, lines become messages of a screen.
  func hold() { held.withLock { $0 = [] } }

  /// Waits until all lines are written, at most `seconds`.
  func flush(within seconds: Double) { writer.flush(within: seconds) }

  /// From now on, lines go to stderr; the last warnings and faults first.
  func release() {
    let messages = held.withLock { held in
      defer { held = nil }
      return held ?? []
    }
    for message in messages where message.weight != .note {
      writer.add("visgraph: \(message.text)\n", message.weight)
    }
  }

  /// The fault of stderr, if it is a file. [any]
  var fault: String? { writer.fault }

  var messages: [LogLine] { held.withLock { $0 ?? [] } }

  /// Logs a line. With `quiet`, faults only.
  func note(_ line: String, _ weight: LogLine.Weight = .note) {
    let line = mask.masked(line)
    if add(line, weight) { return }
    if loudness != .quiet || weight == .fault { writer.add("visgraph: \(line)\n", weight) }
  }

  /// Logs the faults and warnings of a graph file in the format of `check`; a screen shows the first line of each.
  /// With `quiet`, faults only.
  func diagnostics(of checked: CheckResult) {
    let texts = DiagnosticText.texts(checked)
    // A check has no warnings next to faults.
    let weight: LogLine.Weight = texts.first?.severity == .warning ? .warning : .fault
    guard loudness != .quiet || weight == .fault else { return }
    let masked = texts.map { mask.masked($0.text) }
    // All at once, because the writer drops lines while others wait.
    for text in masked where !add(String(text.prefix { $0 != "\n" }), weight) {
      return writer.add(masked.joined(), weight)
    }
  }

  private func add(_ line: String, _ weight: LogLine.Weight) -> Bool {
    held.withLock { held in
      guard held != nil else { return false }
      held?.append(LogLine(text: line, weight: weight))
      if let count = held?.count, count > Self.most { held?.removeFirst(count - Self.most) }
      return true
    }
  }
}

/// Writes lines to stderr on a queue, so that logging never blocks. If more than `most` bytes wait, lines are dropped
/// until the queue is empty; then it logs their number.
final class StderrWriter: Sendable {
  /// The maximum number of bytes that wait.
  static let most = 65_536

  private let queue = DispatchQueue(label: "log")
  private let writing = DispatchGroup()
  /// Bytes that wait, and texts dropped since the queue was last empty.
  private let state = Locked((waiting: 0, leftOut: 0))
  /// Whether stderr is a file. Lines that a pipe or a terminal does not take are no fault.
  private let isFile = RegularFile.isRegular(2)
  /// Takes the lines in place of stderr; nil: nothing does.
  private let output = CommandContext.current.output
  /// When the current write began, in s of the monotonic clock; the error of the last write; texts lost by errors.
  private let writes = Locked((began: Double?.none, error: Errno?.none, lost: 0))

  /// Adds text of one or more lines, with its final line break. [any]
  func add(_ text: String, _ weight: LogLine.Weight) {
    if let output { return output(text, 2) }
    let text = LogPriority.marked(text, weight)
    let size = text.utf8.count
    let fits = state.withLock { state in
      guard state.leftOut == 0, state.waiting == 0 || state.waiting + size <= Self.most else {
        state.leftOut += 1
        return false
      }
      state.waiting += size
      return true
    }
    guard fits else { return }
    queue.async(group: writing) { [self] in
      write(text)
      let leftOut = state.withLock { state in
        state.waiting -= size
        defer { if state.waiting == 0 { state.leftOut = 0 } }
        return state.waiting == 0 ? state.leftOut : 0
      }
      if leftOut > 0 {
        let line = "visgraph: \(NumberFormat.count(leftOut, "line")) left out here: they were not read\n"
        write(LogPriority.marked(line, .warning))
      }
    }
  }

  private func write(_ text: String) {
    writes.withLock { $0.began = MonotonicClock.seconds }
    var text = text
    let error = text.withUTF8 { Descriptor.write(UnsafeRawBufferPointer($0), to: 2) }
    writes.withLock { ($0.began, $0.error, $0.lost) = (nil, error, $0.lost + (error == nil ? 0 : 1)) }
  }

  /// The fault of a file: it takes nothing, or lines are lost. [any]
  var fault: String? {
    guard isFile else { return nil }
    let (began, error, lost) = writes.withLock { $0 }
    let rest = lost > 0 ? "; \(NumberFormat.count(lost, "line")) \(lost == 1 ? "is" : "are") missing" : ""
    if let error { return "stderr: \(error.text)\(rest)" }
    let idle = began.map { MonotonicClock.seconds - $0 } ?? 0
    if idle >= BackgroundWriter.stallTimeout { return "stderr has taken nothing for \(Int(idle)) s\(rest)" }
    return lost > 0 ? "stderr\(rest.replacing("; ", with: ": "))" : nil
  }

  /// Waits until all is written, at most `seconds`.
  func flush(within seconds: Double) { _ = writing.wait(timeout: .now() + seconds) }
}
