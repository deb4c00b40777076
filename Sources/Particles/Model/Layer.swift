/// One emitter: what CAEmitterLayer holds, with Apple's defaults. Plain numbers; nothing moves here.
///
/// Property names leave out `emitter` where Apple puts it in front (`emitterPosition` is `position`).
/// Source of names, units and defaults: CAEmitterLayer.h and Apple's page on CAEmitterLayer.
public struct Layer: Hashable, Sendable {
  /// The cells, each used on its own.
  public var cells: [Cell] = []
  /// A factor on the birth rate of every cell.
  public var birthRate = 1.0
  /// A factor on lifetimes of particles as they are born.
  public var lifetime = 1.0
  /// The center of the shape, in points of the stage.
  public var position = Point()
  /// The z of the center, in points; layers with a larger one lie over those with smaller ones.
  public var zPosition = 0.0
  /// The extent of the shape, in points.
  public var size = Size()
  /// The extent along z, in points.
  public var depth = 0.0
  /// The form particles are born in.
  public var shape = EmitterShape.point
  /// The part of the shape they are born in.
  public var mode = EmitterMode.volume
  /// In which order they are laid over each other.
  public var renderMode = RenderMode.unordered
  /// Whether particles keep their own depth in space. Pictures show the stage straight on, without perspective, so it
  /// changes nothing in them.
  public var preservesDepth = false
  /// A factor on velocities.
  public var velocity = 1.0
  /// A factor on sizes.
  public var scale = 1.0
  /// A factor on spins.
  public var spin = 1.0
  /// Where the layer's random numbers begin; the same seed gives the same particles.
  public var seed: UInt32 = 0
  /// When the layer begins, in the time of the graph, and how its own time runs.
  public var timing = Timing()
  /// Multiplied with the colors of its cells; not Apple's: a palette gives one to each channel.
  public var tint = Color()
  /// Seconds that have passed for it when the first frame begins; 0: it begins empty. Not Apple's.
  public var prewarm = 0.0
  /// The most particles that may be alive at once, those of nested cells among them. Not Apple's.
  public var limit = 10_000
  /// What sizes and colors grow by, and spins turn by. Not Apple's.
  public var growth = GrowthPace.perSecond
  /// How far a drawn value may lie from its mean.
  public var ranges = RangeConvention.eitherSide
  /// What a latitude is measured from.
  public var latitudes = LatitudeConvention.fromPlane
  /// Where a cell of longitude 0 sends its particles.
  public var directions = DirectionConvention.natural
  /// What `lifetime` multiplies.
  public var lifetimes = LifetimeConvention.whole

  /// An emitter with Apple's defaults and no cells.
  public init() {}

  /// `seed` among the numbers that a path can name: rounded, kept within its range.
  var seedNumber: Double {
    get { Double(seed) }
    set { seed = newValue > 0 ? UInt32(min(newValue.rounded(), 4_294_967_295)) : 0 }
  }
}

/// What the speeds of scale and color count by, and spin; not Apple's.
public enum GrowthPace: String, Sendable, CaseIterable {
  /// The second, as in Core Animation.
  case perSecond = "per-second"
  /// The particle's own life: it grows by the whole of a speed until it dies, however long it lives.
  case perLife = "per-life"

  /// What it means, in half a sentence.
  public var help: String {
    switch self {
    case .perSecond: "by so much a second, as in Core Animation"
    case .perLife: "by so much from birth to death, however long a particle lives"
    }
  }
}

/// In which order particles are laid over each other; raw values are Apple's names.
public enum RenderMode: String, Sendable, CaseIterable {
  /// In any order.
  case unordered
  /// The oldest first, below all others.
  case oldestFirst
  /// The oldest last, above all others.
  case oldestLast
  /// By z, the farthest first.
  case backToFront
  /// Light added to light; the order does not matter.
  case additive

  /// What it means, in half a sentence.
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
