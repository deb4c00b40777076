/// Changes of single settings by their paths: `{ cells.spark.birthRate: 120 }`. The checker carries them out.
public struct SettingChanges: FieldValue {
  /// As a graph file would write them.
  private let text: String

  /// No changes.
  public init() { text = "{}" }

  private init(_ tree: Tree) { text = tree.flow }

  /// The kind when a declaration names none.
  public static let kind = Kind.map(.anything)

  /// Reads it; when it is at fault that goes to `reading`, and the result is nil. [control]
  public static func read(_ tree: Tree, as kind: Kind, _ reading: Reading) -> SettingChanges? {
    if tree.isNothing { return SettingChanges() }
    guard tree.map != nil else {
      reading.expected("a map from paths to values, such as { cells.spark.birthRate: 120 }", tree)
      return nil
    }
    return SettingChanges(tree)
  }

  /// As a graph file would write it.
  public func written(as kind: Kind) -> String { text }
}

extension Tree {
  /// The tree in one line of YAML.
  var flow: String {
    switch content {
    case .scalar(let text, let quoted):
      let bare =
        !quoted && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !",[]{}\"'#:&*!|>%@`".utf8.contains($0) }
      return bare && !text.isEmpty ? text : yamlText(text)
    case .list(let values): return "[" + values.map(\.flow).joined(separator: ", ") + "]"
    case .map(let pairs):
      if pairs.isEmpty { return "{}" }
      return "{ " + pairs.map { "\($0.key.flow): \($0.value.flow)" }.joined(separator: ", ") + " }"
    }
  }

  /// How many keys, values, lists and maps it holds.
  var size: Int {
    switch content {
    case .scalar: 1
    case .list(let values): values.reduce(1) { $0 + $1.size }
    case .map(let pairs): pairs.reduce(1) { $0 + 1 + $1.value.size }
    }
  }
}
