import Graphs
import Particles

extension Emitter {
  /// The settings of an emitter: CAEmitterLayer's properties, its cells, and its drives.
  struct Settings: FieldRecord {
    /// The file that it starts from.
    var emitter: GraphFile?
    /// Changes of single values, by their paths.
    var set = SettingChanges()
    /// The layer without its cells, position and color.
    var layer = Layer()
    /// Its position, as far as it is stated.
    var position = Coordinates(StatedPosition())
    /// The colors of the channels.
    var palette: [Color] = []
    var cells = Named<CellSettings>()
    var drive = Drives<Emitter>()
    /// The target of the particles; nil: none.
    var particles: ParticleSettings?

    /// Apple's defaults, without drives.
    init() {}

    /// The noun in messages.
    static let recordName = "emitter"
    /// Its fields, in the order of the docs.
    static let fields: [Field<Settings>] =
      fileFields + placeFields + numberFields + timeFields + readingFields + contentFields

    /// The layer with its cells, and its position where it is stated; Apple's default is the corner of the stage.
    var model: Layer {
      var model = layer
      model.position = Point(x: position.value.x ?? 0, y: position.value.y ?? 0)
      model.cells = cells.entries.map { $0.value.model(named: $0.name) }
      return model
    }

    /// The layer of a channel (from 0) of `count`, at its place on the stage and in its color of the palette.
    /// [control]
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

/// The position of an emitter as far as a graph file states it: both coordinates, one of them, or none.
struct StatedPosition: FieldRecord, FieldValue {
  /// From the left, in points; nil: by the stage's `arrange`.
  var x: Double?
  /// From the top, in points; nil: by the stage's `arrange`.
  var y: Double?

  /// Neither is stated.
  init() {}

  /// The noun in messages.
  static let recordName = "point"
  /// Its fields, in the order of the docs.
  static let fields: [Field<StatedPosition>] = [
    Field("x", \.x, NumberProperty<Layer>.named("position.x").kind, "From the left."),
    Field("y", \.y, NumberProperty<Layer>.named("position.y").kind, "From the top."),
  ]
}
