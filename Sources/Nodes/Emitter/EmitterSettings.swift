import Graphs
import Particles

extension Emitter {
  /// The settings of an emitter: CAEmitterLayer's properties, its cells, and what levels do to them.
  struct Settings: FieldRecord {
    /// The file that it starts from.
    var emitter: GraphFile?
    /// What is changed by path.
    var set = SettingChanges()
    /// All but its cells, its position and its color.
    var layer = Layer()
    /// Where it stands, as far as that is said.
    var position = Coordinates(StatedPosition())
    /// Colors of the channels.
    var palette: [Color] = []
    /// The cells, by name.
    var cells = Named<CellSettings>()
    /// What levels do.
    var drive = Drives<Emitter>()
    /// Where particles are sent; nil: nowhere.
    var particles: ParticleSettings?

    /// Apple's defaults, and nothing driven.
    init() {}

    /// What sentences call it.
    static let recordName = "emitter"
    /// Its fields, in the order of the docs.
    static let fields: [Field<Settings>] =
      fileFields + placeFields + numberFields + timeFields + readingFields + contentFields

    /// The layer with its cells, its position where it is said; Apple's default is the corner of the stage.
    var model: Layer {
      var model = layer
      model.position = Point(x: position.value.x ?? 0, y: position.value.y ?? 0)
      model.cells = cells.entries.map { $0.value.model(named: $0.name) }
      return model
    }

    /// The layer of a channel (from 0) of `count`: in its place on the stage, in its color of the palette. [control]
    func model(channel: Int, of count: Int, on stage: Stage) -> Layer {
      var model = model
      let place = stage.place(ofChannel: channel, of: count)
      model.position = Point(x: position.value.x ?? place.x, y: position.value.y ?? place.y)
      if !palette.isEmpty {
        model.tint = palette[channel % palette.count]
      }
      return model
    }
  }
}

/// Where a graph file says that an emitter stands: all of it, a half of it, or nothing.
struct StatedPosition: FieldRecord, FieldValue {
  /// From the left, in points; nil: where the stage's `arrange` puts it.
  var x: Double?
  /// From the top, in points; nil: where the stage's `arrange` puts it.
  var y: Double?

  /// Nothing is said.
  init() {}

  /// What sentences call it.
  static let recordName = "point"
  /// Its fields, in the order of the docs.
  static let fields: [Field<StatedPosition>] = [
    Field("x", \.x, NumberProperty<Layer>.named("position.x").kind, "From the left."),
    Field("y", \.y, NumberProperty<Layer>.named("position.y").kind, "From the top."),
  ]
}

/// A few numbers, written as a map (`{ x: 10 %, y: 20 pt }`) or as a list in the same order (`[10 %, 20 pt]`).
struct Coordinates<Value: FieldRecord & FieldValue>: FieldValue {
  /// The numbers.
  var value: Value

  /// Wraps numbers.
  init(_ value: Value) { self.value = value }

  /// A map, or a list as long as the map has keys.
  static var kind: ValueKind {
    let count = Value.fields.count
    return .oneOf([.record(Value.self), .list(Value.fields[0].kind, count: count...count)])
  }

  /// Reads it; when it is at fault that goes to `context`, and the result is nil. [control]
  static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> Coordinates? {
    guard let list = tree.list else {
      guard tree.map != nil else {
        context.expected(words, tree)
        return nil
      }
      return Value.read(tree, as: Value.kind, context).map(Coordinates.init)
    }
    guard list.count == Value.fields.count else {
      context.report(
        Diagnostic(
          "wrong-count",
          "\(context.subject) has \(list.count) \(list.count == 1 ? "value" : "values"); it takes \(words)",
          at: tree.mark))
      return nil
    }
    let pairs = zip(Value.fields, list).map { field, value in
      Tree.Pair(key: Tree(.scalar(field.name, quoted: true), mark: value.mark), value: value)
    }
    return Value.read(Tree(.map(pairs), mark: tree.mark), as: Value.kind, context).map(Coordinates.init)
  }

  private static var words: String {
    let names = Value.fields.map(\.name)
    return
      "a list [\(names.joined(separator: ", "))] or a map { \(names.map { "\($0): …" }.joined(separator: ", ")) }"
  }

  /// One of the numbers.
  mutating func read(_ tree: Tree, at path: Substring, as kind: ValueKind, _ context: ReadContext) -> Bool {
    value.read(tree, at: path, as: Value.kind, context)
  }

  /// As a graph file would write it.
  func written(as kind: ValueKind) -> String {
    "[" + Value.fields.map { $0.written(value) }.joined(separator: ", ") + "]"
  }
}

/// Where a value of the graph file stands, for what turns out at fault only once others are known. [any]
///
/// It outlives the reading, in the settings of the graph that runs: it keeps the place and not the `ReadContext`, which has
/// the settings of every file that was read, and would keep them and itself for good.
struct SourceLocation: Sendable {
  /// As written.
  let tree: Tree
  /// What sentences call it (`sparks.drive.1.key`).
  let subject: String

  /// nil where what is wrong is not told.
  init?(_ tree: Tree, _ context: ReadContext) {
    if context.isQuiet { return nil }
    self.tree = tree
    subject = context.subject
  }

  /// A fault at the place.
  func fault(_ code: String, _ message: String, notes: [String] = []) -> Diagnostic {
    Diagnostic(code, message, at: tree.mark, notes: notes)
  }
}
