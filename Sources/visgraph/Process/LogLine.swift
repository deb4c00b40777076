import System

/// Something to report, in one line. [any]
struct LogLine: Equatable, Sendable {
  /// How bad it is.
  enum Weight: Sendable { case note, warning, fault }
  var text: String
  var weight = Weight.note
}

/// The priorities by which systemd's journal keeps lines apart, as `<4>` in front of each (sd-daemon(3)). [any]
enum LogPriority {
  /// Whether stderr leads into the journal.
  private static let isWanted = JournalStream.isBehind(2, environment())

  /// Lines for stderr, each with its priority where the journal reads it: 3 an error, 4 a warning, 6 a note.
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
