/// The particles of one layer: what is alive, and how it goes on. [scene], one thread at a time
///
/// The same layer, name, channel and steps give the same particles to the bit, on every processor and in every build.
public final class ParticleSystem {
  /// The layer. Its numbers and words may change between steps; its tree of cells may not.
  public var layer: Layer
  /// Particles that are alive, those of nested cells among them.
  public private(set) var live = 0
  /// Particles born so far.
  public private(set) var births: UInt64 = 0
  /// Births that `limit` did not allow, so far.
  public private(set) var dropped: UInt64 = 0

  /// Makes a system with nothing alive; `node` and `channel` decide its random numbers, together with the layer's seed.
  public init(_ layer: Layer, node: String, channel: Int) {
    self.layer = layer
  }

  /// Goes on by one frame of `seconds`; before the first, by the layer's `prewarm`.
  public func step(_ seconds: Double) {}

  /// The looks that sprites name by number: one for each cell, outer cells before their inner ones.
  public var looks: [SpriteLook] { [] }

  /// Appends all that is alive and has something to show, in the order of drawing that the layer's render mode asks for.
  public func appendSprites(to sprites: inout [Sprite]) {}

  /// A number that is the same only when all particles are, to the bit.
  public var fingerprint: UInt64 { 0 }
}
