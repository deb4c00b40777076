/// What is behind everything on the stage, as a graph file writes it.
enum Backdrop: FieldValue {
  case colour(Colour)
  case picture(GraphFile)

  static let kind = Kind.oneOf([.colour, .file])
  /// What tells a picture from a colour, for the schema.
  static let picturePattern = "/|\\.[pP][nN][gG]$"

  /// A picture is told from a misspelt colour by its ending, or a slash.
  static func read(_ tree: Tree, as kind: Kind, _ reading: Reading) -> Backdrop? {
    let isPicture = tree.text.map { text in
      text.lowercased().hasSuffix(".png") || text.contains("/") && !ColourFunction.isMeant(by: text)
    }
    guard isPicture == true else {
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
