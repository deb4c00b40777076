import Controls
import Graphs
import System

/// What pages show of the graph file: live settings that it lacks, and the result of the last save. [any]
struct SavingFacts {
  /// The path of the graph file; nil where the graph came from elsewhere.
  private var path: String?
  /// Live settings that are not in the file, oldest first.
  private var unsaved: [String] = []
  /// The number of saves in this run; the settings that the last one wrote, and those without a place in the file.
  private var (saves, written, left) = (0, [String](), [String]())

  /// Notes the current live settings.
  mutating func note(_ made: SettingOverrides, of place: GraphSource.Place) {
    path = if case .file(let path) = place { path } else { nil }
    unsaved = made.live.map(\.target)
  }

  /// Counts a save and notes its result.
  mutating func note(_ result: SettingWriter.Result) {
    saves += 1
    (written, left) = (result.written, result.left)
  }

  var json: Json {
    func list(_ texts: [String]) -> Json { .array(texts.map { .string($0) }) }
    return .object([
      ("path", path.map { .string($0) } ?? .null), ("unsaved", list(unsaved)),
      ("saves", .number(Double(saves))), ("written", list(written)), ("left", list(left)),
    ])
  }
}
