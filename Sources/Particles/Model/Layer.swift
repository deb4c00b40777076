/// One emitter, with the properties of CAEmitterLayer and Apple's defaults. It holds settings; `ParticleSystem` moves
/// the particles.
///
/// Property names leave out Apple's prefix `emitter` (`emitterPosition` is `position`). Names, units and defaults
/// come from CAEmitterLayer.h and Apple's page on CAEmitterLayer.
public struct Layer: Hashable, Sendable {
  /// The cells, each of which emits independently of the others.
  public var cells: [Cell] = []
  /// A factor on the birth rate of every cell.
  public var birthRate = 1.0
  /// A factor on lifetimes, applied at birth.
  public var lifetime = 1.0
  /// The center of the shape, in points of the stage.
  public var position = Point()
  /// The z of the center, in points. Layers with a larger one are drawn over those with smaller ones.
  public var zPosition = 0.0
  /// The width and height of the shape, in points.
  public var size = Size()
  /// The depth of the shape along z, in points.
  public var depth = 0.0
  /// The shape in which particles are born.
  public var shape = EmitterShape.point
  /// The part of the shape in which they are born.
  public var mode = EmitterMode.volume
  /// The order in which particles are drawn over each other.
  public var renderMode = RenderMode.unordered
  /// Whether particles keep their own depth in space. It changes no picture, because pictures show the stage without
  /// perspective.
  public var preservesDepth = false
  /// A factor on velocities, applied at birth.
  public var velocity = 1.0
  /// A factor on sizes.
  public var scale = 1.0
  /// A factor on rotation speeds, applied at birth.
  public var spin = 1.0
  /// The seed of the layer's random numbers. The same seed gives the same particles.
  public var seed: UInt32 = 0
  /// When the layer begins, in the time of the graph, and how fast its own time runs.
  public var timing = Timing()
  /// Multiplies the colors of its cells. A palette sets one for each channel. Not Apple's.
  public var tint = Color()
  /// Seconds that are simulated before the first frame; 0 begins with no particles. Not Apple's.
  public var prewarm = 0.0
  /// The most particles alive at once, including those of inner cells. Not Apple's.
  public var limit = 10_000
  /// The time to which the speeds of scale and color, and spins, refer. Not Apple's.
  public var growth = GrowthPace.perSecond
  /// How far a random value may lie from its mean.
  public var ranges = RangeConvention.eitherSide
  /// The direction from which latitudes are measured.
  public var latitudes = LatitudeConvention.fromPlane
  /// The direction in which a cell of longitude 0 emits.
  public var directions = DirectionConvention.natural
  /// The value that `lifetime` multiplies.
  public var lifetimes = LifetimeConvention.whole

  /// An emitter with Apple's defaults and no cells.
  public init() {}

  /// `seed` as a number that a path can name. A new value is rounded and clamped to 0…2³²−1.
  var seedNumber: Double {
    get { Double(seed) }
    set { seed = newValue > 0 ? UInt32(min(newValue.rounded(), 4_294_967_295)) : 0 }
  }
}

/// The time to which the speeds of scale and color, and spins, refer. Not Apple's.
public enum GrowthPace: String, Sendable, CaseIterable {
  /// A second, as in Core Animation.
  case perSecond = "per-second"
  /// The particle's life: from birth to death the value changes by the speed, however long the particle lives.
  case perLife = "per-life"

  /// The meaning, as graphs/NODES.md prints it.
  public var help: String {
    switch self {
    case .perSecond: "by so much a second, as in Core Animation"
    case .perLife: "by so much from birth to death, however long a particle lives"
    }
  }
}

/// The order in which particles are drawn over each other. Raw values are Apple's names.
public enum RenderMode: String, Sendable, CaseIterable {
  /// In any order.
  case unordered
  /// The oldest first, below all others.
  case oldestFirst
  /// The oldest last, above all others.
  case oldestLast
  /// By z, the farthest first, below all others.
  case backToFront
  /// Additive blending, which does not depend on order.
  case additive

  /// The meaning, as graphs/NODES.md prints it.
  public var help: String {
    switch self {
    case .unordered: "in any order"
    case .oldestFirst: "the oldest below"
    case .oldestLast: "the oldest above"
    case .backToFront: "by z, the farthest below"
    case .additive: "light added to light, as sparks do"
    }
  }
}
