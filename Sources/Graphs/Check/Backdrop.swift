/// What is behind everything on the stage, as a graph file writes it.
enum Backdrop: FieldValue {
  case colour(Colour)
  case picture(GraphFile)

  static let kind = Kind.oneOf([.colour, .file])

  /// A picture is told from a misspelt colour by its ending, or a slash.
  static func read(_ tree: Tree, as kind: Kind, _ reading: Reading) -> Backdrop? {
    guard let text = tree.text, text.contains("/") || text.lowercased().hasSuffix(".png") else {
      return Colour.read(tree, as: kind, reading).map(Backdrop.colour)
    }
    guard let file = GraphFile.read(tree, as: .file, reading) else { return nil }
    reading.look(atPicture: file, tree)
    return .picture(file)
  }

  func written(as kind: Kind) -> String {
    switch self {
    case .colour(let colour): colour.written(as: .colour)
    case .picture(let file): file.written(as: .file)
    }
  }
}
