import Graphs
import Particles

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
