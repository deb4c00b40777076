import CParticles

/// The particles of one layer, and the simulation that moves them. [one]: [scene] while a show is live.
///
/// The same layer, name, channel and steps give the same particles to the bit, on every processor and in every build.
/// Any values of the layer's numbers are safe: NaN counts as 0, others are clamped, and particles beyond ±10,000,000
/// points are removed.
public final class ParticleSystem {
  /// The layer. Its numbers and choices may change between steps; its tree of cells may not.
  public var layer: Layer
  /// The most particles alive, whatever the layer's limit.
  public var most = ParticlePool.most
  /// Particles alive, including those of inner cells.
  public internal(set) var live = 0
  /// Particles born so far.
  public internal(set) var births: UInt64 = 0
  /// Births so far for which there was no room.
  public internal(set) var dropped: UInt64 = 0

  /// One pool for each cell, level by level: outer cells first, then the cells they emit.
  let pools: [ParticlePool]
  /// Seconds since the beginning, `prewarm` included.
  var time = 0.0
  /// Whether the first step, with its prewarm, has begun.
  var hasStarted = false
  /// The center of the shape at the end of the last frame.
  var lastCenter: Center?
  private var drawing = DrawingOrder()

  /// Makes a system without particles. `node`, `channel` and the layer's seed determine its random numbers.
  public init(_ layer: Layer, node: String, channel: Int) {
    self.layer = layer
    pools = ParticlePool.tree(of: layer, identity: RandomIdentity(node: node, channel: channel))
  }

  /// Advances by one frame of `seconds`, clamped to 0…3600. The first call simulates the layer's `prewarm` before its
  /// frame. A prewarm may take long, so it ends early once `isCancelled` returns true.
  public func step(_ seconds: Double, isCancelled: () -> Bool = { false }) {
    let seconds = seconds.clamped(0...3600)
    if !hasStarted {
      hasStarted = true
      prewarm(seconds, isCancelled)
    }
    advance(seconds)
  }

  /// Simulates `prewarm` in frames as long as the first one. At most 216,000 frames (an hour at 60 per second) are
  /// simulated; frames become longer where more would be needed.
  private func prewarm(_ seconds: Double, _ isCancelled: () -> Bool) {
    let prewarm = layer.prewarm.clamped(0...3600)
    guard prewarm > 0, seconds > 0 else { return }
    let length = max(seconds, prewarm / 216_000)
    for _ in 0..<Int((prewarm / length).rounded()) where !isCancelled() { advance(length) }
  }

  private func advance(_ seconds: Double) {
    let frame = StepContext(layer: layer, time: time, seconds: seconds, lastCenter: lastCenter)
    live = 0
    for pool in pools {
      pool.move(frame, layer.cell(at: pool.path))
      live += pool.count
    }
    let most = min(max(layer.limit, 0), max(most, 0), ParticlePool.most)
    for pool in pools {
      let room = max(0, most - live)
      let emitted = pool.emit(
        frame, layer.cell(at: pool.path), room: room, order: UInt32(truncatingIfNeeded: births))
      live += pool.count - emitted.before
      births &+= UInt64(emitted.born)
      dropped = dropped.addingReportingOverflow(emitted.dropped).overflow ? .max : dropped + emitted.dropped
    }
    time += seconds
    lastCenter = frame.center
  }

  /// The number of materials.
  package var materialCount: Int { pools.count }

  /// The materials, which sprites name by index: one for each cell, outer cells before their inner ones.
  public var materials: [SpriteMaterial] { pools.map { SpriteMaterial(layer.cell(at: $0.path)) } }

  /// Appends all visible particles, in the drawing order of the layer's render mode.
  ///
  /// Particles without contents, size or alpha are left out. Unordered and additive particles come cell by cell. By
  /// age, the order is that of birth. By z, the older of two at the same depth comes first.
  public func appendSprites(to sprites: inout [Sprite]) {
    drawing.append(pools, layer, births: UInt32(truncatingIfNeeded: births), to: &sprites)
  }

  /// A hash over the exact state of all particles: it differs where any bit differs, hash collisions aside.
  public var fingerprint: UInt64 {
    pools.reduce(0xcbf2_9ce4_8422_2325) { $1.fingerprint(into: $0) }
  }
}

/// Collects the sprites of all pools in drawing order, and keeps its memory from frame to frame. [one]
struct DrawingOrder: ~Copyable {
  private var sprites = UnsafeMutableBufferPointer<Sprite>(start: nil, count: 0)
  /// Three lists of one word per sprite: sort keys, the drawing order, and scratch space. `vg_write_sprites` first
  /// writes rows into the list of keys.
  private var words = UnsafeMutableBufferPointer<UInt32>(start: nil, count: 0)

  deinit {
    sprites.deallocate()
    words.deallocate()
  }

  /// Appends the visible particles of all pools. `births` is the system's count of births modulo 2³².
  mutating func append(_ pools: [ParticlePool], _ layer: Layer, births: UInt32, to list: inout [Sprite]) {
    reserve(pools.reduce(0) { $0 + $1.count })
    guard let all = sprites.baseAddress, let words = words.baseAddress else { return }
    let sorted = layer.renderMode != .unordered && layer.renderMode != .additive
    let room = sprites.count
    let (keys, order, spare) = (words, words + room, words + 2 * room)
    var shown = 0
    for pool in pools where pool.count > 0 {
      let cell = layer.cell(at: pool.path)
      if case .none = cell.contents { continue }
      var style = vg_sprite_style(pool, layer)
      let added = vg_write_sprites(&pool.all, &style, all + shown, sorted ? keys + shown : nil)
      if sorted {
        let attributes = pool.all.attributes
        // The key is the complement of the number of births since the particle's own. The oldest particle has the
        // least key, even after the count of births has wrapped.
        for i in shown..<shown + added { keys[i] = ~(births &- attributes[Int(keys[i])].order) }
      }
      shown += added
    }
    guard sorted else {
      list.append(contentsOf: UnsafeBufferPointer(rebasing: sprites[..<shown]))
      return
    }
    for i in 0..<shown { order[i] = UInt32(i) }
    if layer.renderMode == .oldestLast { for i in 0..<shown { keys[i] = ~keys[i] } }
    vg_sort(keys, order, spare, shown)
    if layer.renderMode == .backToFront {
      for i in 0..<shown { keys[i] = Self.key(all[i].z) }
      vg_sort(keys, order, spare, shown)
    }
    list.reserveCapacity(list.count + shown)
    for i in 0..<shown { list.append(all[Int(order[i])]) }
  }

  /// Maps a float to an unsigned integer of the same order, for the radix sort.
  private static func key(_ z: Float) -> UInt32 {
    let bits = (z + 0).bitPattern
    return bits & 0x8000_0000 == 0 ? bits | 0x8000_0000 : ~bits
  }

  private mutating func reserve(_ count: Int) {
    guard count > sprites.count else { return }
    sprites.deallocate()
    words.deallocate()
    let room = max(256, count + count / 2)
    sprites = .allocate(capacity: room)
    words = .allocate(capacity: 3 * room)
  }
}

extension vg_sprite_style {
  fileprivate init(_ pool: ParticlePool, _ layer: Layer) {
    let drifts = pool.drifts
    self.init(
      now: Float(pool.clock), scale: drifts.scale.roundedSum, red: drifts.red.roundedSum,
      green: drifts.green.roundedSum, blue: drifts.blue.roundedSum, alpha: drifts.alpha.roundedSum,
      life: vg_life_growth(layer.cell(at: pool.path), layer),
      tintRed: Float(layer.tint.red.clamped(0...1)), tintGreen: Float(layer.tint.green.clamped(0...1)),
      tintBlue: Float(layer.tint.blue.clamped(0...1)), tintAlpha: Float(layer.tint.alpha.clamped(0...1)),
      material: pool.material)
  }
}

extension SpriteMaterial {
  init(_ cell: Cell) {
    self.init(
      contents: cell.contents, rect: cell.contentsRect, contentsScale: cell.contentsScale,
      minification: cell.minificationFilter, magnification: cell.magnificationFilter,
      minificationBias: cell.minificationFilterBias)
  }
}
