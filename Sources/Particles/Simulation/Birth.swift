import CParticles

extension vg_birth {
  /// Computes the values that all births of a cell in one frame share.
  init(_ cell: Cell, _ frame: StepContext, pool: ParticlePool) {
    let layer = frame.layer
    let inner = pool.parent != nil
    self.init()
    random = pool.random(seed: layer.seed)
    seconds = Float(frame.seconds(cell))
    now = Float(pool.clock)
    ax = cell.xAcceleration.float
    ay = cell.yAcceleration.float
    az = cell.zAcceleration.float
    let rangeFactor = layer.ranges == .whole ? 0.5 : 1
    func spread(_ mean: Double, _ range: Double, times factor: Double = 1) -> vg_spread {
      vg_spread(mean: (mean.clamped * factor).float, range: (range.clamped * rangeFactor * factor).float)
    }
    let lifetime = layer.lifetime.clamped
    life = spread(cell.lifetime, cell.lifetimeRange, times: lifetime)
    if layer.lifetimes == .range { life.mean = cell.lifetime.float }
    velocity = spread(cell.velocity, cell.velocityRange, times: layer.velocity.clamped)
    spin = spread(cell.spin, cell.spinRange, times: layer.spin.clamped)
    // Inner cells inherit the layer's scale and tint from their parents.
    scale = spread(cell.scale, cell.scaleRange, times: inner ? 1 : layer.scale.clamped)
    red = spread(cell.color.red, cell.redRange)
    green = spread(cell.color.green, cell.greenRange)
    blue = spread(cell.color.blue, cell.blueRange)
    alpha = spread(cell.color.alpha, cell.alphaRange)
    scaleDrift = pool.drifts.scale.kernel
    redDrift = pool.drifts.red.kernel
    greenDrift = pool.drifts.green.kernel
    blueDrift = pool.drifts.blue.kernel
    alphaDrift = pool.drifts.alpha.kernel
    aim(cell, layer, inner: inner)
  }

  /// Sets the directions of birth.
  ///
  /// Longitude 0 points to the right; from a line it points up, unless `directions` is `.alongX`. With latitudes from
  /// the plane, `emissionRange` opens a flat fan in x and y, and the latitude tilts the whole fan. With latitudes from
  /// z, it opens a solid cone. The latitude of an inner cell is relative to the direction of its parent.
  private mutating func aim(_ cell: Cell, _ layer: Layer, inner: Bool) {
    let up = layer.shape == .line && layer.directions == .natural
    naturalX = up ? 0 : 1
    naturalY = up ? -1 : 0
    longitude = Self.turns(cell.emissionLongitude)
    let opening = min(abs(cell.emissionRange.clamped) / (2 * Double.pi), 1)
    var latitude = Self.turns(cell.emissionLatitude)
    if layer.latitudes == .fromZ {
      if !inner { latitude = 0.25 - latitude }
      solid = 1
      var (c, s): (Float, Float) = (0, 0)
      // 1 − cos of half the opening angle, as 2 sin² of its quarter.
      vg_sincos(Float(opening / 4), &c, &s)
      cap = 2 * s * s
    } else {
      fan = Float(opening / 2)
    }
    vg_sincos(latitude, &cosLatitude, &sinLatitude)
  }

  /// Converts radians to turns within −½…½.
  private static func turns(_ radians: Double) -> Float {
    let turns = radians.clamped / (2 * Double.pi)
    return Float(turns - turns.rounded())
  }
}

extension vg_shape {
  init(_ frame: StepContext, owed: Double, apart: Double, after: Double) {
    let layer = frame.layer
    let (center, last) = (frame.center, frame.lastCenter)
    self.init(
      shape: Int32(layer.shape.kernel), mode: Int32(layer.mode.kernel), width: layer.size.width.float,
      height: layer.size.height.float, depth: layer.depth.float, x: Float(center.x), y: Float(center.y),
      z: Float(center.z), fromX: Float(last.x - center.x), fromY: Float(last.y - center.y),
      fromZ: Float(last.z - center.z), owed: owed, apart: apart, after: after)
  }
}

extension vg_parents {
  init(_ parent: ParticlePool, _ frame: StepContext) {
    let cell = frame.layer.cell(at: parent.path)
    let drifts = parent.drifts
    self.init(
      all: parent.all, seconds: Float(frame.seconds(cell)), ax: cell.xAcceleration.float,
      ay: cell.yAcceleration.float, az: cell.zAcceleration.float, scale: drifts.scale.roundedSum,
      red: drifts.red.roundedSum, green: drifts.green.roundedSum, blue: drifts.blue.roundedSum,
      alpha: drifts.alpha.roundedSum,
      now: Float(parent.clock), life: vg_life_growth(cell, frame.layer)
    )
  }
}

extension vg_life_growth {
  /// The growth of a cell's particles over their whole lives; zero unless the layer's `growth` is `.perLife`.
  init(_ cell: Cell, _ layer: Layer) {
    self.init()
    guard layer.growth == .perLife else { return }
    perLifetime = 1
    scale = Float(cell.scaleSpeed.clamped * layer.scale.clamped(0...1e9))
    red = cell.redSpeed.float
    green = cell.greenSpeed.float
    blue = cell.blueSpeed.float
    alpha = cell.alphaSpeed.float
  }
}

extension ParticlePool {
  /// The random words for the next births of this cell, from the cache if seed and era are the same.
  func random(seed: UInt32) -> vg_random {
    let era = UInt32(truncatingIfNeeded: number >> 32)
    if let random, random.seed == seed, random.era == era { return random.random }
    let fresh = identity.random(seed: seed, era: era)
    random = (fresh, seed, era)
    return fresh
  }
}

extension EmitterShape {
  fileprivate var kernel: Int {
    switch self {
    case .point: VG_POINT
    case .line: VG_LINE
    case .rectangle: VG_RECTANGLE
    case .cuboid: VG_CUBOID
    case .circle: VG_CIRCLE
    case .sphere: VG_SPHERE
    }
  }
}

extension EmitterMode {
  fileprivate var kernel: Int {
    switch self {
    case .points: VG_POINTS
    case .outline: VG_OUTLINE
    case .surface: VG_SURFACE
    case .volume: VG_VOLUME
    }
  }
}
