import Graphs
import Particles

/// What a cell's particles look like, as a graph file writes it: `none`, `soft`, or a picture.
enum CellContents: FieldValue, Equatable {
  /// Nothing is seen.
  case none
  /// The built-in picture.
  case soft
  /// A file.
  case picture(GraphFile)

  /// The kind when a declaration names none.
  static let kind = Kind.oneOf([
    .choice([
      Kind.Choice("soft", "the built-in round light"), Kind.Choice("none", "alive, and not to be seen"),
    ]), .file,
  ])

  /// Reads it; when it is at fault that goes to `reading`, and the result is nil. [control]
  static func read(_ tree: Tree, as kind: Kind, _ reading: Reading) -> CellContents? {
    switch tree.text {
    case "none", "null", "~": return CellContents.none
    case "soft": return .soft
    case let text? where !text.isEmpty:
      guard let file = GraphFile.read(tree, as: .file, reading) else { return nil }
      reading.look(atPicture: file, tree)
      return .picture(file)
    default:
      reading.expected(kind.words, tree)
      return nil
    }
  }

  /// As a graph file would write it.
  func written(as kind: Kind) -> String {
    switch self {
    case .none: "none"
    case .soft: "soft"
    case .picture(let file): file.written(as: .file)
    }
  }

  /// The same for the simulation.
  var model: Contents {
    switch self {
    case .none: .none
    case .soft: .soft
    case .picture(let file): .file(file.path)
    }
  }
}
