import Controls
import Glibc
import Hosts
import System

/// A file that keeps all that comes to the control port: a line each, with the time of day. [any]
final class ControlRecord: Sendable {
  /// Why it cannot be written.
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  private let path: String
  private let writer: BackgroundWriter
  /// What was told last, and when the next may be told.
  private let told = Locked((facts: BackgroundWriter.Facts(), next: 0.0))

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

  /// What has gone wrong since the last line, at most every ten seconds; nil when nothing has. `time` is in seconds.
  func news(at time: Double) -> String? {
    let now = writer.now
    return told.withLock { told in
      guard time >= told.next, now.error != told.facts.error || now.leftOut > told.facts.leftOut else {
        return nil
      }
      defer { told = (now, time + 10) }
      let missing = Self.missing(now.leftOut)
      if now.error != 0 { return "\(path): \(Self.reason(now.error)); messages wait for room\(missing)" }
      return told.facts.error != 0
        ? "\(path) is written again\(missing)" : "\(path) is not read fast enough\(missing)"
    }
  }

  /// Writes the rest, within a moment; gives what went wrong.
  func close() -> String? {
    let facts = writer.close(within: 0.3)
    guard facts.error != 0 || facts.leftOut > 0 else { return nil }
    let reason = facts.error != 0 ? Self.reason(facts.error) : "it was not read fast enough"
    return "\(path): \(reason)\(Self.missing(facts.leftOut))"
  }

  private static func reason(_ error: Int32) -> String { String(cString: strerror(error)) }

  private static func missing(_ count: Int) -> String {
    count > 0 ? "; \(Figures.count(count, "message")) \(count == 1 ? "is" : "are") missing" : ""
  }

  /// The time of day in UTC, to the millisecond, as ISO 8601 writes it.
  static func now() -> String {
    var time = WallClock.now
    var parts = tm()
    gmtime_r(&time.tv_sec, &parts)
    var text = [CChar](repeating: 0, count: 32)
    strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S", &parts)
    let thousandths = String(1000 + time.tv_nsec / 1_000_000).dropFirst()
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      + ".\(thousandths)Z"
  }
}
