import Controls
import Glibc
import Hosts

/// A file that keeps all that comes to the control port: a line each, with the time of day. Any thread.
final class ControlRecord: Sendable {
  /// Why it cannot be written.
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  private let path: String
  private let writer: BackgroundWriter

  /// Opens a file to add to.
  init(_ path: String) throws(Fault) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0o644)
    guard descriptor >= 0 else { throw Fault(description: "\(path): \(String(cString: strerror(errno)))") }
    self.path = path
    writer = BackgroundWriter(descriptor)
  }

  /// Adds a line; never waits for the file.
  func add(_ event: PortEvent) {
    writer.add(Array("\(Self.now()) \(DisplayedText.safe(event.line))\n".utf8))
  }

  /// Writes the rest, within a moment; gives what went wrong.
  func close() -> String? {
    let facts = writer.close(within: 0.3)
    if facts.error != 0 { return "\(path): \(String(cString: strerror(facts.error)))" }
    return facts.leftOut == 0 ? nil : "\(path): \(facts.leftOut) lines are left out, as nobody reads them"
  }

  /// The time of day in UTC, to the millisecond, as ISO 8601 writes it.
  private static func now() -> String {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    var parts = tm()
    gmtime_r(&time.tv_sec, &parts)
    var text = [CChar](repeating: 0, count: 32)
    strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S", &parts)
    let thousandths = String(1000 + time.tv_nsec / 1_000_000).dropFirst()
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      + ".\(thousandths)Z"
  }
}
