import System

/// A line of the log. [any]
struct LogLine: Equatable, Sendable {
  enum Weight: Sendable { case note, warning, fault }
  var text: String
  var weight = Weight.note
}

/// The priorities of systemd's journal, a prefix such as `<4>` in front of a line (sd-daemon(3)). [any]
enum LogPriority {
  /// Whether stderr is a stream of the journal.
  private static let isWanted = JournalStream.isBehind(2, environment())

  /// Lines for stderr, each with its priority if the journal reads them: 3 error, 4 warning, 6 informational.
  static func marked(_ text: String, _ weight: LogLine.Weight) -> String {
    guard isWanted, !text.isEmpty else { return text }
    let priority =
      switch weight {
      case .note: "<6>"
      case .warning: "<4>"
      case .fault: "<3>"
      }
    let isEnded = text.hasSuffix("\n")
    let lines = (isEnded ? text.dropLast() : text[...]).split(
      separator: "\n", omittingEmptySubsequences: false)
    return lines.map { priority + $0 }.joined(separator: "\n") + (isEnded ? "\n" : "")
  }
}
