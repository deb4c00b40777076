import Controls
import Glibc
import Hosts
import OSC
import System

/// The file of a control score while it is recorded. [any]
final class ControlScoreFile: Sendable {
  struct FileError: Error, CustomStringConvertible {
    let description: String
  }

  private struct State {
    /// The time tag of the last entry. Tags never decrease.
    var last = TimeTag(rawValue: 0)
    /// Bytes handed to the writer so far.
    var size = 0
    /// Whether the end entry is written; nothing follows it.
    var hasEnd = false
    /// When the file reached its maximum size, in s of the timeline; and whether that was reported.
    var fullAt: Double?
    var hasReportedFull = false
    var news = BackgroundWriter.News()

    /// The time tag of the next entry.
    mutating func next(_ seconds: Double) -> TimeTag {
      let tag = TimeTag(seconds: seconds)
      if tag.rawValue > last.rawValue { last = tag }
      return last
    }
  }

  private let path: String
  private let writer: BackgroundWriter
  /// The maximum size in bytes, without the end entry.
  private let most: Int
  private let state = Locked(State())

  /// Creates or replaces the file. `most`: the maximum size in bytes, by default that of readers of scores.
  init(_ path: String, most: Int = ControlScore.mostBytes) throws(FileError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0o644)
    guard descriptor >= 0 else {
      throw FileError(description: "\(path): \(Errno().text)")
    }
    self.path = path
    self.most = most - Self.entry(ControlScore.endMessage, at: TimeTag(rawValue: 0)).count
    do throws(Errno) { writer = try BackgroundWriter(descriptor) } catch {
      throw FileError(description: "\(path): \(error.text)")
    }
    add(ControlScore.beginMessage, at: 0)
  }

  /// Adds a command with the time at which it acts, in s of the timeline. Never blocks. If the file is full, the
  /// recording ends.
  func add(_ message: Message, at seconds: Double) {
    state.withLock { state in
      guard !state.hasEnd else { return }
      let entry = Self.entry(message, at: state.next(seconds))
      guard state.size + entry.count <= most else {
        state.fullAt = state.last.seconds
        return end(&state)
      }
      if writer.add(entry) { state.size += entry.count }
    }
  }

  /// Writes the end entry and closes the file, without waiting for either.
  func end(at seconds: Double) {
    state.withLock { state in
      _ = state.next(seconds)
      end(&state)
    }
    writer.end()
  }

  private func end(_ state: inout State) {
    guard !state.hasEnd else { return }
    state.hasEnd = true
    writer.add(Self.entry(ControlScore.endMessage, at: state.last))
  }

  /// The bytes of an entry; empty for a message that no packet can hold.
  private static func entry(_ message: Message, at tag: TimeTag) -> [UInt8] {
    var entry: [UInt8] = []
    if let packet = try? message.packet() {
      packet.withUnsafeBytes { ScoreWriter.append($0, at: tag, to: &entry) }
    }
    return entry
  }

  /// Faults since the last call; nil: none. `time` in s. [control]
  func takeMessage(at time: Double) -> String? {
    let now = writer.now
    return state.withLock { state in
      if let seconds = state.fullAt, !state.hasReportedFull {
        state.hasReportedFull = true
        return fullness(seconds) + "; what is asked for from now on is not recorded"
      }
      return state.news.take(now, of: path, "entries", at: time, missing: Self.missing)
    }
  }

  /// The current fault: the file takes nothing, or entries are lost.
  var fault: String? {
    writer.now.fault(of: path, "entries", missing: Self.missing)
      ?? state.withLock(\.fullAt).map { fullness($0) + "; what is asked for is not recorded" }
  }

  var losesData: Bool { writer.now.losesData || state.withLock { $0.fullAt != nil } }

  private static func missing(_ count: Int) -> String {
    count == 1 ? "1 entry is missing" : "\(count) entries are missing"
  }

  private func fullness(_ seconds: Double) -> String {
    "\(path) is full (\(ControlScore.mostBytes >> 20) MB, the limit of a control score): the control score ends at "
      + "\(NumberFormat.seconds(seconds)) s"
  }

  /// Writes the remaining entries, within `seconds`. Returns a sentence about lost entries; nil: none are lost. [any],
  /// also while another thread closes.
  func close(within seconds: Double) -> String? {
    let status = writer.close(within: seconds)
    if status.error == 0, status.leftOut == 0, status.waiting == 0 {
      return state.withLock(\.fullAt).map(fullness)
    }
    let reason =
      status.error != 0 ? Errno(status.error).text : "it was not written fast enough"
    return "\(path): \(reason); the control score is not whole"
  }
}
