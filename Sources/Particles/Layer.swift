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
  /// The z of the centre, in points.
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
  /// Whether particles keep their own depth in space.
  public var preservesDepth = false
  /// A factor on velocities.
  public var velocity = 1.0
  /// A factor on sizes.
  public var scale = 1.0
  /// A factor on spins.
  public var spin = 1.0
  /// Where the layer's random numbers begin; the same seed gives the same particles.
  public var seed: UInt32 = 0

  /// An emitter with Apple's defaults and no cells.
  public init() {}

  /// `seed` among the numbers that a path can name: rounded, kept within its range.
  var seedNumber: Double {
    get { Double(seed) }
    set { seed = newValue > 0 ? UInt32(min(newValue.rounded(), 4_294_967_295)) : 0 }
  }
}
