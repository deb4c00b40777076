import Controls
import Graphs

/// The origin of a run's graph, from which it can be read again. [control]
struct GraphSource {
  /// A file, or a text that was read once, such as standard input.
  enum Place {
    case file(String)
    case text(SourceText)
  }

  var place: Place
  /// The overrides of `--set`.
  var overrides: [Override] = []

  /// Reads and checks the graph with these overrides.
  func read(_ overrides: [Override]) -> CheckResult {
    switch place {
    case .file(let path): Checker.complete.check(path: path, overrides: overrides)
    case .text(let source): Checker.complete.check(source, overrides: overrides)
    }
  }
}
