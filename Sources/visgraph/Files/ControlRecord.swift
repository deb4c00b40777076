import Controls
import Glibc
import Graphs
import Hosts
import System

/// A log file of all messages at the control port, with the time of day of each. [any]
final class ControlRecord: Sendable {
  struct RecordError: Error, CustomStringConvertible {
    let description: String
  }

  private let path: String
  private let mask: SecretMask
  /// A message about the file's mode, if others could read it; nil: its owner alone could.
  let openingNote: String?
  private let writer: BackgroundWriter
  private let news = Locked(BackgroundWriter.News())

  /// Opens the file to append, with mode 0600: messages may hold keys, also those of other shows. `mask` covers the
  /// known ones.
  init(_ path: String, _ mask: SecretMask) throws(RecordError) {
    let file: PrivateFile
    do throws(Errno) { file = try PrivateFile(appendingTo: path) } catch {
      throw RecordError(description: "\(path): \(error.text)")
    }
    (self.path, self.mask) = (path, mask)
    openingNote =
      switch file.wasOpenTo {
      case nil: nil
      case let mode? where file.isTightened:
        "--log-control \(path) could be read by others (\(String(mode, radix: 8))) and is its owner's alone from now on"
      case let mode?:
        "--log-control \(path) can be read by others (\(String(mode, radix: 8))), and its mode cannot be changed"
      }
    do throws(Errno) { writer = try BackgroundWriter(file.descriptor) } catch {
      throw RecordError(description: "\(path): \(error.text)")
    }
  }

  /// Adds a line. Never blocks.
  func add(_ event: PortEvent) {
    writer.add(Array("\(Self.now()) \(mask.masked(DisplayedText.safe(event.line)))\n".utf8))
  }

  /// Faults since the last message, at most one message every 10 s; nil: none. `time` in s.
  func takeMessage(at time: Double) -> String? {
    let now = writer.now
    return news.withLock { $0.take(now, of: path, "messages", at: time, missing: Self.missing) }
  }

  /// The current fault: the file takes nothing, or lines are lost.
  var fault: String? { writer.now.fault(of: path, "messages", missing: Self.missing) }

  var losesData: Bool { writer.now.losesData }

  /// Writes the remaining lines, within 0.3 s. Returns a sentence about lost lines; nil: none are lost.
  func close() -> String? {
    let status = writer.close(within: 0.3)
    guard status.error != 0 || status.leftOut > 0 else { return nil }
    let reason = status.error != 0 ? Errno(status.error).text : "it was not read fast enough"
    return "\(path): \(reason)" + (status.leftOut > 0 ? "; \(Self.missing(status.leftOut))" : "")
  }

  private static func missing(_ count: Int) -> String {
    "\(NumberFormat.count(count, "message")) \(count == 1 ? "is" : "are") missing"
  }

  /// The current time in UTC as ISO 8601, with milliseconds.
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
