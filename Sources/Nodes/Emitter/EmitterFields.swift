public import Graphs
public import Particles

extension Emitter.Settings {
  /// The file and changes of its values.
  static let fileFields: [Field<Self>] = [
    Field(
      "emitter", \.emitter,
      "A file that holds an emitter, to start from: `visgraph-emitter: 1`, then name, author and licence if you like, "
        + "and settings of this list, all but emitter, set and particles (`each` stays in the node too). Its "
        + "pictures are relative to its own folder; % and frames in it are those of the graph. What the node states "
        + "overrides the file; its `cells` take the place of all cells of the file."),
    Field(
      "set", \.set,
      "Changes single values of the file, or of this node, by their paths: { cells.spark.birthRate: 120, scale: 2 }. "
        + "Apple's full words are understood; an entry of a list is found by its number from 1 (drive.1.to). On the command "
        + "line: --set ID.cells.spark.birthRate=120."),
  ]

  /// Where particles are born, and their drawing order.
  static let placeFields: [Field<Self>] = [
    Field("shape", \.layer.shape, each: true, aliases: ["emitterShape"], "The form particles are born in."),
    Field(
      "mode", \.layer.mode, each: true, aliases: ["emitterMode"], "The part of the shape they are born in."),
    Field(
      "renderMode", \.layer.renderMode, each: true, "The order in which particles are drawn over each other."),
    Field(
      "position", \.position, each: true, aliases: ["emitterPosition"],
      "The center of the shape, from the top left corner of the stage. If x, y or both are not stated, they come "
        + "from `arrange` of the stage; Apple's default is the corner."),
    Field(
      "size", \.size, each: true, aliases: ["emitterSize"],
      "Width and height of the shape; of a circle or sphere the width is the radius, from the middle to the edge."
    ),
  ]

  /// The numbers of the layer.
  static let numberFields: [Field<Self>] = Layer.plainNumbers.filter {
    // `duration` has a field of its own: without it there is no end, which is not a number.
    Layer.numbers[$0].name != "duration"
  }.map { index in
    let number = Layer.numbers[index]
    return Field(
      number.name, \.[number: index], number.kind, each: true, aliases: number.aliases, number.help)
  }

  /// Time, and the limit of particles.
  static let timeFields: [Field<Self>] = [
    Field(
      "duration", \.duration, NumberProperty<Layer>.named("duration").kind, each: true,
      NumberProperty<Layer>.named("duration").help),
    Field(
      "prewarm", \.layer.prewarm, .number(.seconds, 0...60), each: true, change: .rebuild,
      "How long it has been running when the first frame begins. 0: it begins empty, and a birth rate that a level "
        + "raises from 0 begins with young particles; with more it begins, as Apple's layers do, in full flight."
    ),
    Field(
      "limit", \.layer.limit, .number(.none, 1...1_000_000, whole: true), each: true,
      "The most particles of one channel that are alive at once, those of nested cells among them. Births beyond it "
        + "are dropped, counted and reported. All emitters of a graph together have room for 4,000,000; each has an equal "
        + "part of them, which its channels share."),
    Field(
      "growth", \.layer.growth, each: true,
      "What scaleSpeed, redSpeed, greenSpeed, blueSpeed, alphaSpeed and spin of its cells count by. `per-life` lets "
        + "particles whose lives differ end alike: `alphaSpeed: -1` fades each of them out as it dies."),
  ]

  /// Where Apple's own sources contradict each other.
  static let readingFields: [Field<Self>] = [
    Field(
      "ranges", \.layer.ranges, each: true,
      "How far a value drawn at birth lies from its mean, for all …Range settings but emissionRange, which is always "
        + "the whole opening. Apple's sources contradict each other here."),
    Field(
      "latitudes", \.layer.latitudes, each: true,
      "What emissionLatitude is measured from; from the z axis, emissionRange opens a cone in space in place of a fan. "
        + "Apple's header and Apple's sample code contradict each other here."
    ),
    Field(
      "directions", \.layer.directions, each: true,
      "Where emissionLongitude 0 points. In Apple's sample code particles rise from a line and fly to the right from "
        + "a point."),
    Field(
      "lifetimes", \.layer.lifetimes, each: true,
      "What `lifetime` multiplies. Apple's pages say the cell's lifetimeRange, which would not change a cell without "
        + "one; this is hardly meant."),
  ]

  /// Cells, colors, drives and the target of particles.
  static let contentFields: [Field<Self>] = [
    Field(
      "preservesDepth", \.layer.preservesDepth, each: true,
      "Accepted, so that files of CAEmitterLayer can be used as they are; it changes nothing, because the stage is "
        + "flat."
    ),
    Field(
      "palette", \.palette, .list(.color, count: 0...256), each: true,
      "Colors of the channels: the first channel takes the first, and so on, beginning again after the last. Each is "
        + "multiplied with the colors of the cells, and inner cells inherit it."),
    Field(
      "cells", \.cells, change: .rebuild, aliases: ["emitterCells"],
      "The kinds of particle, under names of your choice."),
    Field(
      "drive", \.drive,
      "What levels do: each entry steers one number, such as { key: cells.spark.scale, to: [0, 5], idle: 0.5 }."
    ),
    Field(
      "particles", \.particles,
      "Sends the particles themselves by OSC. Each message begins with three whole numbers: the frame, how many live, and "
        + "the number of the first particle in it (from 0). With `send: blob` a blob follows that holds as many particles as "
        + "`packet` has room for, at most 1024, of 16 bytes each, most significant byte first: x, y, size as float32 in "
        + "points, then red, green, blue, alpha as bytes 0…255; then 4 bytes for each of `fields`, in their order. With "
        + "`send: each` one particle follows: x, y, size in points, red, green, blue, alpha 0…1 as floats, then each of "
        + "`fields` as a number. If no particle is visible, there are the three numbers alone."
    ),
  ]

  private subscript(number index: Int) -> Double {
    get { layer[keyPath: Layer.numbers[index].path] }
    set { layer[keyPath: Layer.numbers[index].path] = newValue }
  }

  private var duration: Double? {
    get { layer.timing.duration.isFinite ? layer.timing.duration : nil }
    set { layer.timing.duration = newValue ?? .infinity }
  }

  private var size: Coordinates<Size> {
    get { Coordinates(layer.size) }
    set { layer.size = newValue.value }
  }
}

extension NumberUnit {
  /// The unit in graph files; speeds have the unit of their distance.
  var inGraphs: Graphs.Unit {
    switch self {
    case .factor, .whole, .factorPerSecond: .none
    case .seconds: .seconds
    case .perSecond: .perSecond
    case .radians, .radiansPerSecond: .radians
    case .points, .pointsPerSecond, .pointsPerSecondSquared: .points
    case .pointsAcross: .pointsAcross
    case .pointsDown: .pointsDown
    case .part, .partPerSecond: .ratio
    }
  }
}

extension NumberProperty {
  /// The kind of its values in graph files.
  var kind: ValueKind { .number(unit.inGraphs, range, whole: unit == .whole) }

  /// The declaration of a number by its name, which must exist.
  static func named(_ name: String) -> NumberProperty<Root> where Root: NumberHolder {
    guard let number = Root.numbers.first(where: { $0.name == name }) else { fatalError("no number \(name)") }
    return number
  }
}

extension NumberHolder {
  /// The indexes of numbers with a setting of their own: all but the components of points, colors and rectangles.
  static var plainNumbers: [Int] { numbers.indices.filter { !numbers[$0].name.contains(".") } }
}

extension ResolvedNumber {
  /// The kind of its values in graph files.
  var kind: ValueKind { .number(unit.inGraphs, range, whole: unit == .whole) }
}

// The cases of layers and cells are also words in graph files.
extension EmitterShape: FieldChoice {}
extension EmitterMode: FieldChoice {}
extension RenderMode: FieldChoice {}
extension ContentsFilter: FieldChoice {}
extension FillMode: FieldChoice {}
extension RangeConvention: FieldChoice {}
extension LatitudeConvention: FieldChoice {}
extension DirectionConvention: FieldChoice {}
extension LifetimeConvention: FieldChoice {}
extension GrowthPace: FieldChoice {}
