import Controls
import Graphs
import System

/// How the graph file stands, for pages: what was set and is not in it, and what came of saving. [any]
struct SavingFacts {
  /// Where it lies; nil where the graph came from elsewhere.
  private var path: String?
  /// The settings that are not in it, oldest first.
  private var unsaved: [String] = []
  /// How often it has been saved in this run, what was written the last time, and what had no place in it.
  private var (saves, written, left) = (0, [String](), [String]())

  /// How it stands now.
  mutating func note(_ made: SettingOverrides, of place: GraphSource.Place) {
    path = if case .file(let path) = place { path } else { nil }
    unsaved = made.live.map(\.target)
  }

  /// It has been saved.
  mutating func note(_ result: SettingWriter.Result) {
    saves += 1
    (written, left) = (result.written, result.left)
  }

  /// As pages are sent it.
  var json: Json {
    func list(_ texts: [String]) -> Json { .array(texts.map { .string($0) }) }
    return .object([
      ("path", path.map { .string($0) } ?? .null), ("unsaved", list(unsaved)),
      ("saves", .number(Double(saves))), ("written", list(written)), ("left", list(left)),
    ])
  }
}
