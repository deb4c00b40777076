extension Layer: NumberHolder {
  /// Every number of a layer.
  public static let numbers: [NumberProperty<Layer>] = [
    NumberProperty(
      "birthRate", \.birthRate, .factor, 0...10_000, "A factor on the birth rate of every cell."),
    NumberProperty(
      "lifetime", \.lifetime, .factor, 0...10_000, "A factor on lifetimes, which acts at birth."),
    NumberProperty(
      "position.x", \.position.x, .pointsAcross, -1e6...1e6, aliases: ["emitterPosition.x"],
      "The center of the shape, from the left."),
    NumberProperty(
      "position.y", \.position.y, .pointsDown, -1e6...1e6, aliases: ["emitterPosition.y"],
      "The center of the shape, from the top."),
    NumberProperty(
      "zPosition", \.zPosition, .points, -1e6...1e6, aliases: ["emitterZPosition"],
      "The z of the center: an emitter with a larger one is drawn over those with smaller ones, whatever their order in "
        + "the file. Particles keep the z that they are born at, which `backToFront` orders them by."),
    NumberProperty(
      "size.width", \.size.width, .pointsAcross, 0...1e6, aliases: ["emitterSize.width"],
      "The width of the shape; the radius of a circle or sphere."),
    NumberProperty(
      "size.height", \.size.height, .pointsDown, 0...1e6, aliases: ["emitterSize.height"],
      "The height of the shape."),
    NumberProperty(
      "depth", \.depth, .points, 0...1e6, aliases: ["emitterDepth"], "The extent of the shape along z."),
    NumberProperty("velocity", \.velocity, .factor, -10_000...10_000, "A factor on velocities."),
    NumberProperty("scale", \.scale, .factor, 0...10_000, "A factor on the size of particles."),
    NumberProperty("spin", \.spin, .factor, -10_000...10_000, "A factor on spins."),
    NumberProperty(
      "seed", \.seedNumber, .whole, 0...Double(UInt32.max),
      "The seed of the random numbers; the same seed gives the same particles."),
    NumberProperty(
      "beginTime", \.timing.beginTime, .seconds, -1e6...1e6, "When it begins, in the time of the graph."),
    NumberProperty(
      "duration", \.timing.duration, .seconds, 0...1e9,
      "How long births go on; by default without end."),
    NumberProperty("speed", \.timing.speed, .factor, -1000...1000, "How fast its time runs."),
  ]

  /// Properties that are no numbers, each with the kind of value that it has.
  public static let others = [
    "shape": "a word", "emitterShape": "a word", "mode": "a word", "emitterMode": "a word",
    "renderMode": "a word", "preservesDepth": "true or false",
    "position": "a point", "emitterPosition": "a point", "size": "a size", "emitterSize": "a size",
  ]
}
