import Controls
import Graphs

/// Where the graph of a run comes from, and how it is read again. [control]
struct GraphSource {
  /// A file, or a text that is there already.
  enum Place {
    case file(String)
    case text(SourceText)
  }

  var place: Place
  /// What the command line sets in it.
  var overrides: [Override] = []

  /// Reads it, with these values and settings.
  func read(_ overrides: [Override]) -> CheckResult {
    switch place {
    case .file(let path): Checker.complete.check(path: path, overrides: overrides)
    case .text(let source): Checker.complete.check(source, overrides: overrides)
    }
  }
}
