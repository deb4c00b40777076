extension Cell: NumberHolder {
  /// Every number of a cell, without those of its inner cells.
  public static let numbers: [NumberProperty<Cell>] = motion + appearance + time

  /// Properties that are no numbers, each with the kind of value that it has.
  public static let others = [
    "name": "a text", "enabled": "true or false", "color": "a color", "colour": "a color",
    "contents": "a file", "contentsRect": "a rectangle", "minificationFilter": "a word",
    "magnificationFilter": "a word", "autoreverses": "true or false", "fillMode": "a word",
  ]

  private static let motion: [NumberProperty<Cell>] = [
    NumberProperty("birthRate", \.birthRate, .perSecond, 0...100_000, "Births a second."),
    NumberProperty(
      "lifetime", \.lifetime, .seconds, 0...3600,
      "How long a particle lives; `1 frame` is exactly one picture."),
    NumberProperty(
      "lifetimeRange", \.lifetimeRange, .seconds, 0...3600, "How far lifetimes differ, to either side."),
    NumberProperty(
      "emissionLatitude", \.emissionLatitude, .radians, -1000...1000,
      "How far the direction lifts out of the stage."
    ),
    NumberProperty(
      "emissionLongitude", \.emissionLongitude, .radians, -1000...1000,
      "The direction on the stage: 0 to the right (from a line: up), 90 deg down; angles turn clockwise."),
    NumberProperty(
      "emissionRange", \.emissionRange, .radians, 0...1000,
      "How far the direction opens to a fan, half to either side: 0 is one direction, 360 deg all around."),
    NumberProperty(
      "velocity", \.velocity, .pointsPerSecond, -1e6...1e6, "Points a second, at birth; below 0 backwards."),
    NumberProperty(
      "velocityRange", \.velocityRange, .pointsPerSecond, 0...1e6,
      "How far velocities differ, to either side."),
    NumberProperty(
      "xAcceleration", \.xAcceleration, .pointsPerSecondSquared, -1e6...1e6,
      "Points a second, each second, to the right."),
    NumberProperty(
      "yAcceleration", \.yAcceleration, .pointsPerSecondSquared, -1e6...1e6,
      "Points a second, each second, downwards."),
    NumberProperty(
      "zAcceleration", \.zAcceleration, .pointsPerSecondSquared, -1e6...1e6,
      "Points a second, each second, along z."),
  ]

  private static let appearance: [NumberProperty<Cell>] = [
    NumberProperty(
      "scale", \.scale, .factor, 0...10_000,
      "A factor on the size of the contents; the soft light is 32 points across at 1."),
    NumberProperty("scaleRange", \.scaleRange, .factor, 0...10_000, "How far sizes differ, to either side."),
    NumberProperty(
      "scaleSpeed", \.scaleSpeed, .factorPerSecond, -10_000...10_000,
      "By how much the factor grows a second; below 0 it shrinks."
    ),
    NumberProperty(
      "spin", \.spin, .radiansPerSecond, -10_000...10_000,
      "How far it turns in a second, clockwise: 360 deg is once around."),
    NumberProperty(
      "spinRange", \.spinRange, .radiansPerSecond, 0...10_000, "How far spins differ, to either side."),
    NumberProperty(
      "color.red", \.color.red, .part, 0...1, aliases: ["colour.red"], "Red, multiplied with the contents."),
    NumberProperty(
      "color.green", \.color.green, .part, 0...1, aliases: ["colour.green"],
      "Green, multiplied with the contents."),
    NumberProperty(
      "color.blue", \.color.blue, .part, 0...1, aliases: ["colour.blue"],
      "Blue, multiplied with the contents."),
    NumberProperty("color.alpha", \.color.alpha, .part, 0...1, aliases: ["colour.alpha"], "How solid it is."),
    NumberProperty("redRange", \.redRange, .part, 0...1, "How far red differs, to either side."),
    NumberProperty("greenRange", \.greenRange, .part, 0...1, "How far green differs, to either side."),
    NumberProperty("blueRange", \.blueRange, .part, 0...1, "How far blue differs, to either side."),
    NumberProperty("alphaRange", \.alphaRange, .part, 0...1, "How far alpha differs, to either side."),
    NumberProperty("redSpeed", \.redSpeed, .partPerSecond, -1000...1000, "By how much red grows a second."),
    NumberProperty(
      "greenSpeed", \.greenSpeed, .partPerSecond, -1000...1000, "By how much green grows a second."),
    NumberProperty(
      "blueSpeed", \.blueSpeed, .partPerSecond, -1000...1000, "By how much blue grows a second."),
    NumberProperty(
      "alphaSpeed", \.alphaSpeed, .partPerSecond, -1000...1000,
      "By how much alpha grows a second; -0.5 fades it out in two seconds."),
    NumberProperty(
      "contentsRect.x", \.contentsRect.x, .part, 0...1, aliases: ["contentsRect.origin.x"],
      "The left edge of the part of the picture that is shown."),
    NumberProperty(
      "contentsRect.y", \.contentsRect.y, .part, 0...1, aliases: ["contentsRect.origin.y"],
      "The top edge of the part of the picture that is shown."),
    NumberProperty(
      "contentsRect.width", \.contentsRect.width, .part, 0...1, aliases: ["contentsRect.size.width"],
      "The width of the part of the picture that is shown."),
    NumberProperty(
      "contentsRect.height", \.contentsRect.height, .part, 0...1, aliases: ["contentsRect.size.height"],
      "The height of the part of the picture that is shown."),
    NumberProperty(
      "contentsScale", \.contentsScale, .factor, 0.01...1000, "Pixels of the picture to a point."),
    NumberProperty(
      "minificationFilterBias", \.minificationFilterBias, .factor, -16...16,
      "Shifts the choice among sizes of the picture."),
  ]

  private static let time: [NumberProperty<Cell>] = [
    NumberProperty(
      "beginTime", \.timing.beginTime, .seconds, -1e6...1e6, "When it begins, in the layer's time."),
    NumberProperty(
      "duration", \.timing.duration, .seconds, 0...1e9,
      "How long its time lasts; by default without end."),
    NumberProperty("speed", \.timing.speed, .factor, -1000...1000, "How fast its time runs."),
    NumberProperty("timeOffset", \.timing.timeOffset, .seconds, -1e6...1e6, "Where its own time begins."),
    NumberProperty("repeatCount", \.timing.repeatCount, .factor, 0...1e9, "How often its time repeats."),
  ]
}
