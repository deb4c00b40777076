import Controls
import Glibc
import Hosts
import OSC
import System

/// The file of a control score while it is recorded. [frame], but for its beginning and its end.
final class ControlScoreFile: Sendable {
  /// Why it cannot be written.
  struct FileError: Error, CustomStringConvertible {
    let description: String
  }

  private let path: String
  private let writer: BackgroundWriter
  /// The time tag of the last entry: time does not go back.
  private let last = Locked(TimeTag(rawValue: 0))

  /// Begins a file in the place of one that may be there.
  init(_ path: String) throws(FileError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0o644)
    guard descriptor >= 0 else {
      throw FileError(description: "\(path): \(String(cString: strerror(errno)))")
    }
    self.path = path
    writer = BackgroundWriter(descriptor)
    add(ControlScore.begin, at: 0)
  }

  /// Adds what acts from a second of the timeline on; never waits for the file.
  func add(_ message: Message, at seconds: Double) {
    guard let packet = try? message.packet() else { return }
    let tag = last.withLock { last in
      let tag = TimeTag(seconds: seconds)
      if tag.rawValue > last.rawValue { last = tag }
      return last
    }
    var entry: [UInt8] = []
    packet.withUnsafeBytes { ScoreWriter.append($0, at: tag, to: &entry) }
    writer.add(entry)
  }

  /// Writes the rest and the end, where the timeline ended; gives what went wrong.
  func close(at seconds: Double) -> String? {
    add(ControlScore.end, at: seconds)
    let status = writer.close(within: 1)
    guard status.error != 0 || status.leftOut > 0 else { return nil }
    let reason =
      status.error != 0 ? String(cString: strerror(status.error)) : "it was not written fast enough"
    return "\(path): \(reason); the control score is not whole"
  }
}
