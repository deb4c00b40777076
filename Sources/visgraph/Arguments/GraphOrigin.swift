import Graphs
import Nodes

/// Where the graph of a run comes from, and how it is read again. [control]
struct GraphOrigin {
  /// A file, or a text that is there already.
  enum Place {
    case file(String)
    case text(SourceText)
  }

  var place: Place
  /// What the command line sets in it.
  var overrides: [Override] = []

  /// Reads it, with these values and settings.
  func read(_ overrides: [Override]) -> Checked {
    switch place {
    case .file(let path): Checker(.full).check(path: path, overrides: overrides)
    case .text(let source): Checker(.full).check(source, overrides: overrides)
    }
  }
}
