/// Log lines on stderr, as services like them: what happened, no time of day, nothing twice in a row.
final class Log: Sendable {
  /// How much is told.
  enum Loudness {
    case quiet, normal, verbose
  }

  private let loudness: Loudness

  init(_ loudness: Loudness) { self.loudness = loudness }

  /// Tells something in one line.
  func note(_ line: String) {
    if loudness != .quiet { printNote("visgraph: \(line)") }
  }

  /// Tells some lines as they are; also when quiet, for faults.
  func lines(_ text: String) { write(text, to: 2) }
}
