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
