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
  /// The centre of the shape, in points of the stage.
  public var position = Point()
  /// The z of the centre, in points; layers with a larger one lie over those with smaller ones.
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
  /// Multiplied with the colours of its cells; not Apple's: a palette gives one to each channel.
  public var tint = Color()
  /// Seconds that have passed for it when the first frame begins; 0: it begins empty. Not Apple's.
  public var prewarm = 0.0
  /// The most particles that may be alive at once, those of nested cells among them. Not Apple's.
  public var limit = 10_000
  /// How far a drawn value may lie from its mean.
  public var ranges = RangeReading.eitherSide
  /// What a latitude is measured from.
  public var latitudes = LatitudeReading.fromPlane
  /// Where a cell of longitude 0 sends its particles.
  public var directions = DirectionReading.natural
  /// What `lifetime` multiplies.
  public var lifetimes = LifetimeReading.whole

  /// An emitter with Apple's defaults and no cells.
  public init() {}

  /// `seed` among the numbers that a path can name: rounded, kept within its range.
  var seedNumber: Double {
    get { Double(seed) }
    set { seed = newValue > 0 ? UInt32(min(newValue.rounded(), 4_294_967_295)) : 0 }
  }
}
