import Graphs
import Particles

/// How LEDs are wired: one of several forms, and where the wire begins.
struct PixelLayout: FieldRecord, FieldValue {
  /// The corner of a grid's first LED.
  enum Corner: String, FieldChoice {
    case topLeft = "top-left"
    case topRight = "top-right"
    case bottomLeft = "bottom-left"
    case bottomRight = "bottom-right"
    var help: String { "the wire begins at the \(rawValue.replacing("-", with: " "))" }

    var isRight: Bool { self == .topRight || self == .bottomRight }
    var isBottom: Bool { self == .bottomLeft || self == .bottomRight }
  }

  /// The order of the LEDs in a grid.
  enum Order: String, FieldChoice {
    case rows, columns, serpentine
    case serpentineColumns = "serpentine-columns"
    var help: String {
      switch self {
      case .rows: "row after row, each in the same direction"
      case .columns: "column after column, each in the same direction"
      case .serpentine: "row after row, there and back"
      case .serpentineColumns: "column after column, there and back"
      }
    }

    var isSerpentine: Bool { self == .serpentine || self == .serpentineColumns }
    var isByColumns: Bool { self == .columns || self == .serpentineColumns }
  }

  var strip: Int?
  var grid: PictureSize?
  var ring: Int?
  var places: [Coordinates<Point>] = []
  var file: LayoutFile?
  var axes = "x y"
  var stretch = false
  var start = Corner.topLeft
  var order = Order.rows

  init() {}

  private static let count = ValueKind.number(.none, 1...Double(PixelRun.most), whole: true)

  static let recordName = "layout of pixels"
  static let fields: [Field<PixelLayout>] = [
    Field("strip", \.strip, count, change: .rebuild, "A strip of this many LEDs, along a line."),
    Field("grid", \.grid, change: .rebuild, "Columns and rows, such as 64x32."),
    Field(
      "ring", \.ring, count, change: .rebuild,
      "A ring of this many LEDs, as large as `rect`, clockwise from the top."),
    Field(
      "places", \.places, .list(Coordinates<Point>.kind, count: 0...PixelRun.most), change: .rebuild,
      "The place of each LED, in points of the stage or % of it: [x, y]."),
    Field(
      "file", \.file, change: .rebuild,
      "A file with the places of the LEDs: an .xmodel of xLights, a ledmap.json of WLED, or a .csv of x, y[, z]. Its "
        + "layout lies in the middle of `rect`, as large as that allows."),
    Field(
      "axes", \.axes, .text(pattern: "^-?[xyz] -?[xyz]$", form: "two axes, such as x y or x -z"),
      change: .rebuild,
      "Which axis of a file runs to the right, and which one down; a minus turns it round. `x -z` is the front of what has z "
        + "upwards."),
    Field(
      "stretch", \.stretch, change: .rebuild,
      "Whether the layout of a file is stretched to fill `rect`; if not, it keeps its proportions."),
    Field("start", \.start, change: .rebuild, "Where the first LED of a grid is."),
    Field("order", \.order, change: .rebuild, "How the wire runs through a grid."),
  ]

  /// The number of LEDs; nil where it has no form, or several.
  var count: Int? {
    let counts = [
      strip, grid.map { $0.width * $0.height }, ring, places.isEmpty ? nil : places.count,
      file?.count,
    ]
    let stated = counts.compactMap(\.self)
    return stated.count == 1 ? stated[0] : nil
  }
}

extension Point: FieldRecord, FieldValue {
  /// The noun in messages.
  public static let recordName = "point"
  /// Its fields, in the order of the docs.
  public static let fields: [Field<Point>] = [
    Field("x", \.x, NumberProperty<Layer>.named("position.x").kind, "From the left."),
    Field("y", \.y, NumberProperty<Layer>.named("position.y").kind, "From the top."),
  ]
  /// The top left corner.
  public init() { self.init(x: 0, y: 0) }
}

/// A part of the stage.
struct StageRect: FieldRecord, FieldValue {
  var left = 0.0
  var top = 0.0
  var right = 0.0
  var bottom = 0.0

  init() {}

  static let recordName = "part of the stage"
  static let fields: [Field<StageRect>] = [
    Field("left", \.left, NumberProperty<Layer>.named("position.x").kind, "The left edge."),
    Field("top", \.top, NumberProperty<Layer>.named("position.y").kind, "The top edge."),
    Field("right", \.right, NumberProperty<Layer>.named("position.x").kind, "The right edge."),
    Field("bottom", \.bottom, NumberProperty<Layer>.named("position.y").kind, "The bottom edge."),
  ]
}
