public import Graphs

/// The path of a driven number as the graph file has it.
public struct DriveKey: FieldValue {
  /// As written; empty where none is.
  public let text: String
  let origin: Origin?

  /// No key.
  public init() { (text, origin) = ("", nil) }

  private init(_ text: String, _ origin: Origin) {
    self.text = text
    self.origin = origin
  }

  /// The kind when a declaration names none.
  public static let kind = Kind.text()

  /// Reads it; when it is at fault that goes to `reading`. [control]
  public static func read(_ tree: Tree, as kind: Kind, _ reading: Reading) -> DriveKey? {
    String.read(tree, as: kind, reading).map { DriveKey($0, Origin(tree, reading)) }
  }

  /// As a graph file would write it.
  public func written(as kind: Kind) -> String { text.written(as: kind) }
}
