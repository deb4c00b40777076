import Graphs
import Particles

/// The settings of one cell of an emitter, with the names of CAEmitterCell's properties.
struct CellSettings: FieldRecord, FieldValue {
  /// The cell without its name, picture and inner cells.
  var cell = Cell()
  /// The picture of its particles.
  var contents = CellContents.soft
  /// The cells that each of its particles emits.
  var cells = Named<CellSettings>()

  /// Apple's defaults.
  init() {}

  /// The noun in messages.
  static let recordName = "cell"
  /// Its fields, in the order of the docs.
  static let fields: [Field<CellSettings>] =
    [Field("enabled", \.cell.enabled, "Whether particles are born.")] + numberFields + [
      Field("color", \.cell.color, aliases: ["colour"], "Multiplied with the contents."),
      Field(
        "contents", \.contents,
        "What a particle looks like. soft: the built-in picture, a round white light of 32 points that fades to nothing "
          + "at its edge. none: invisible, but alive and emitting, which is Apple's meaning of a cell without "
          + "contents. Else a picture: a PNG file relative to the file that names it; one that is really called none "
          + "is written ./none."),
      Field("contentsRect", \.contentsRect, "The part of the picture that is shown, in parts of it."),
      Field("minificationFilter", \.cell.minificationFilter, "How the picture is made smaller."),
      Field("magnificationFilter", \.cell.magnificationFilter, "How the picture is made larger."),
      Field(
        "duration", \.duration, NumberProperty<Cell>.named("duration").kind,
        NumberProperty<Cell>.named("duration").help),
      Field(
        "autoreverses", \.cell.timing.autoreverses, "Whether its time runs backwards after each run forwards."
      ),
      Field("fillMode", \.cell.timing.fillMode, "What holds before its beginning and after its end."),
      Field(
        "cells", \.cells, change: .rebuild, aliases: ["emitterCells"], "What each of its particles emits."),
    ]

  private static let numberFields: [Field<CellSettings>] = Cell.plainNumbers.filter {
    // `duration` has a field of its own: without it there is no end, which is not a number.
    Cell.numbers[$0].name != "duration"
  }.map { index in
    let number = Cell.numbers[index]
    return Field(number.name, \.[number: index], number.kind, aliases: number.aliases, number.help)
  }

  private subscript(number index: Int) -> Double {
    get { cell[keyPath: Cell.numbers[index].path] }
    set { cell[keyPath: Cell.numbers[index].path] = newValue }
  }

  private var contentsRect: Coordinates<UnitRect> {
    get { Coordinates(cell.contentsRect) }
    set { cell.contentsRect = newValue.value }
  }

  private var duration: Double? {
    get { cell.timing.duration.isFinite ? cell.timing.duration : nil }
    set { cell.timing.duration = newValue ?? .infinity }
  }

  /// The cell with its name, picture and inner cells.
  func model(named name: String) -> Cell {
    var model = cell
    model.name = name
    model.contents = contents.model
    model.cells = cells.entries.map { $0.value.model(named: $0.name) }
    return model
  }
}

extension Named<CellSettings> {
  /// The number of cells, including inner ones; counting stops at `most` + 1.
  func count(most: Int) -> Int {
    var count = 0
    for entry in entries where count <= most {
      count += 1 + entry.value.cells.count(most: most - count)
    }
    return min(count, most + 1)
  }
}

/// The picture of a cell's particles, in a graph file: `none`, `soft`, or a file.
enum CellContents: FieldValue, Equatable {
  /// Invisible.
  case none
  case soft
  /// A picture file.
  case picture(GraphFile)

  /// The default kind of a field of this type.
  static let kind = ValueKind.oneOf([
    .choice([
      ValueKind.Choice("soft", "the built-in round light"),
      ValueKind.Choice("none", "alive, and not to be seen"),
    ]), .file,
  ])

  /// Reads a value; nil where it is faulty, with the fault in `context`. [control]
  static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> CellContents? {
    switch tree.text {
    case "none", "null", "~": return CellContents.none
    case "soft": return .soft
    case let text? where !text.isEmpty:
      guard let file = GraphFile.read(tree, as: .file, context) else { return nil }
      context.inspect(picture: file, tree)
      return .picture(file)
    default:
      context.expected(kind.words, tree)
      return nil
    }
  }

  /// The value in the form of a graph file.
  func written(as kind: ValueKind) -> String {
    switch self {
    case .none: "none"
    case .soft: "soft"
    case .picture(let file): file.written(as: .file)
    }
  }

  /// The value for the simulation.
  var model: Contents {
    switch self {
    case .none: .none
    case .soft: .soft
    case .picture(let file): .file(file.path)
    }
  }
}
