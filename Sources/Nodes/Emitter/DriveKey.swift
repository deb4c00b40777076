import Graphs

/// The path of a driven number as the graph file has it.
struct DriveKey: FieldValue {
  /// As written; empty where none is.
  let text: String
  let origin: Origin?

  /// No key.
  init() { (text, origin) = ("", nil) }

  private init(_ text: String, _ origin: Origin) {
    self.text = text
    self.origin = origin
  }

  /// The kind when a declaration names none.
  static let kind = Kind.text()

  /// Reads it; when it is at fault that goes to `reading`. [control]
  static func read(_ tree: Tree, as kind: Kind, _ reading: Reading) -> DriveKey? {
    String.read(tree, as: kind, reading).map { DriveKey($0, Origin(tree, reading)) }
  }

  /// As a graph file would write it.
  func written(as kind: Kind) -> String { text.written(as: kind) }
}
