import CParticles

/// The particles of one layer: what is alive, and how it goes on. [one]: [scene] while a show is live.
///
/// The same layer, name, channel and steps give the same particles to the bit, on every processor and in every build.
/// No number of the layer, however absurd, stops or breaks it: what is not finite counts as 0, and particles farther
/// than 10,000,000 points are given up.
public final class ParticleSystem {
  /// The layer. Its numbers and words may change between steps; its tree of cells may not.
  public var layer: Layer
  /// More than these are never alive, whatever the layer's limit.
  public var most = ParticlePool.most
  /// Particles that are alive, those of nested cells among them.
  public internal(set) var live = 0
  /// Particles born so far.
  public internal(set) var births: UInt64 = 0
  /// Births that `limit` did not allow, so far.
  public internal(set) var dropped: UInt64 = 0

  /// One for each cell: all outer cells, then what they emit, and so on.
  let pools: [ParticlePool]
  /// Seconds since the beginning, those of `prewarm` among them.
  var time = 0.0
  var started = false
  /// Where the center of the shape was at the end of the last frame.
  var lastCenter: Center?
  private var drawing = DrawingOrder()

  /// Makes a system with nothing alive; `node` and `channel` decide its random numbers, together with the layer's seed.
  public init(_ layer: Layer, node: String, channel: Int) {
    self.layer = layer
    pools = ParticlePool.tree(of: layer, identity: RandomIdentity(node: node, channel: channel))
  }

  /// Goes on by one frame of `seconds`; before the first, by the layer's `prewarm`. What is not finite or below 0 counts
  /// as 0, and no frame is longer than an hour. A prewarm may take long: it ends early once it `isCancelled`, when nobody
  /// needs the particles any more.
  public func step(_ seconds: Double, isCancelled: () -> Bool = { false }) {
    let seconds = seconds.clamped(0...3600)
    if !started {
      started = true
      prewarm(seconds, isCancelled)
    }
    advance(seconds)
  }

  /// In whole frames as long as the first one, or in the longer ones that make 216,000, an hour at 60 a second: so it
  /// ends, however short the first frame is.
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
      let count = pool.emit(
        frame, layer.cell(at: pool.path), room: room, order: UInt32(truncatingIfNeeded: births))
      live += pool.count - count.before
      births &+= UInt64(count.born)
      dropped = dropped.addingReportingOverflow(count.dropped).overflow ? .max : dropped + count.dropped
    }
    time += seconds
    lastCenter = frame.center
  }

  /// How many looks sprites name by number.
  package var materialCount: Int { pools.count }

  /// The looks that sprites name by number: one for each cell, outer cells before their inner ones.
  public var materials: [SpriteMaterial] { pools.map { SpriteMaterial(layer.cell(at: $0.path)) } }

  /// Appends all that is alive and has something to show, in the order of drawing that the layer's render mode asks for.
  ///
  /// Left out is what has no contents, no size or no alpha. Unordered and additive particles come cell by cell; by age,
  /// the order is that of birth; by z, the older of two at the same depth comes first.
  public func appendSprites(to sprites: inout [Sprite]) {
    drawing.append(pools, layer, births: UInt32(truncatingIfNeeded: births), to: &sprites)
  }

  /// A number that is the same only when all particles are, to the bit.
  public var fingerprint: UInt64 {
    pools.reduce(0xcbf2_9ce4_8422_2325) { $1.fingerprint(into: $0) }
  }
}

/// Sprites of all pools in the order in which they are to be drawn; keeps its memory from frame to frame. [one]
struct DrawingOrder: ~Copyable {
  private var sprites = UnsafeMutableBufferPointer<Sprite>(start: nil, count: 0)
  /// For each sprite: its row, then its birth or depth as a key to sort by; the order; room to sort in.
  private var words = UnsafeMutableBufferPointer<UInt32>(start: nil, count: 0)

  deinit {
    sprites.deallocate()
    words.deallocate()
  }

  /// Appends what can be seen of all pools; `births` is the system's count of births, at its end of 2³².
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
      var showing = vg_sprite_style(pool, layer)
      let some = vg_write_sprites(&pool.all, &showing, all + shown, sorted ? keys + shown : nil)
      if sorted {
        let attributes = pool.all.attributes
        // Births since then, backwards: the oldest is the least, wherever the count wrapped round.
        for i in shown..<shown + some { keys[i] = ~(births &- attributes[Int(keys[i])].order) }
      }
      shown += some
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

  /// A number that has the order of the float.
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
      now: Float(pool.clock), scale: drifts.scale.float, red: drifts.red.float,
      green: drifts.green.float, blue: drifts.blue.float, alpha: drifts.alpha.float,
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
