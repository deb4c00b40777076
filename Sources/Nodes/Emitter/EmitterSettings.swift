import Graphs
import Particles

extension Emitter {
  /// The settings of an emitter: CAEmitterLayer's properties, its cells, and what levels do to them.
  struct Settings: FieldRecord {
    /// All but its cells.
    var layer = Layer()
    /// The cells, by name.
    var cells = Named<CellSettings>()
    /// What levels do.
    var drive = Drives()
    /// Where particles are sent; nil: nowhere.
    var particles: ParticleSettings?

    /// Apple's defaults, and nothing driven.
    init() {}

    /// What sentences call it.
    static let recordName = "emitter"
    /// Its fields, in the order of the docs.
    static let fields: [Field<Settings>] =
      [
        Field(
          "shape", \.layer.shape, each: true, aliases: ["emitterShape"], "The form particles are born in."),
        Field(
          "mode", \.layer.mode, each: true, aliases: ["emitterMode"],
          "The part of the shape they are born in."),
        Field("renderMode", \.layer.renderMode, each: true, "In which order they are laid over each other."),
        Field(
          "position", \.position, each: true, aliases: ["emitterPosition"],
          "The centre of the shape, from the top left corner of the stage."),
        Field("size", \.size, each: true, aliases: ["emitterSize"], "The extent of the shape."),
      ] + numberFields + [
        Field(
          "preservesDepth", \.layer.preservesDepth, each: true,
          "Whether particles keep their own depth in space."),
        Field(
          "cells", \.cells, change: .rebuild, aliases: ["emitterCells"],
          "The kinds of particle, under names of your choice."),
        Field(
          "drive", \.drive,
          "What levels do: each entry steers one number, such as "
            + "{ key: cells.spark.scale, to: [0, 5], idle: 0.5 }."),
        Field(
          "particles", \.particles,
          "Sends the particles themselves by OSC: frame, how many live, the number of the first in this message, and a "
            + "blob of up to 1024 times 16 bytes: x, y, size as float32 in points, then red, green, blue, alpha as bytes."
        ),
      ]

    private static let numberFields: [Field<Settings>] = Layer.plainNumbers.map { index in
      let number = Layer.numbers[index]
      return Field(
        number.name, \.[number: index], number.kind, each: true, aliases: number.aliases, number.help)
    }

    private subscript(number index: Int) -> Double {
      get { layer[keyPath: Layer.numbers[index].path] }
      set { layer[keyPath: Layer.numbers[index].path] = newValue }
    }

    private var position: Coordinates<Point> {
      get { Coordinates(layer.position) }
      set { layer.position = newValue.value }
    }

    private var size: Coordinates<Size> {
      get { Coordinates(layer.size) }
      set { layer.size = newValue.value }
    }

    /// The layer with its cells.
    var model: Layer {
      var model = layer
      model.cells = cells.entries.map { $0.value.model(named: $0.name) }
      return model
    }
  }
}
