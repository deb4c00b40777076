import CParticles

extension vg_birth {
  /// What the births of a cell have in common in one frame.
  init(_ cell: Cell, _ frame: Frame, population: Population) {
    let layer = frame.layer
    let inner = population.parent != nil
    self.init()
    lots = population.lots(seed: layer.seed)
    seconds = Float(frame.seconds(cell))
    now = Float(population.clock)
    ax = cell.xAcceleration.float
    ay = cell.yAcceleration.float
    az = cell.zAcceleration.float
    let part = layer.ranges == .whole ? 0.5 : 1
    func spread(_ mean: Double, _ range: Double, times factor: Double = 1) -> vg_spread {
      vg_spread(mean: (mean.tamed * factor).float, range: (range.tamed * part * factor).float)
    }
    let lifetime = layer.lifetime.tamed
    life = spread(cell.lifetime, cell.lifetimeRange, times: lifetime)
    if layer.lifetimes == .range { life.mean = cell.lifetime.float }
    velocity = spread(cell.velocity, cell.velocityRange, times: layer.velocity.tamed)
    spin = spread(cell.spin, cell.spinRange, times: layer.spin.tamed)
    // Inner cells have the layer's scale, and its tint, from their parents.
    scale = spread(cell.scale, cell.scaleRange, times: inner ? 1 : layer.scale.tamed)
    red = spread(cell.color.red, cell.redRange)
    green = spread(cell.color.green, cell.greenRange)
    blue = spread(cell.color.blue, cell.blueRange)
    alpha = spread(cell.color.alpha, cell.alphaRange)
    scaleGrowth = population.growths.scale.kernel
    redGrowth = population.growths.red.kernel
    greenGrowth = population.growths.green.kernel
    blueGrowth = population.growths.blue.kernel
    alphaGrowth = population.growths.alpha.kernel
    aim(cell, layer, inner: inner)
  }

  /// Longitude 0 is to the right, and up from a line, unless every shape is to begin at the right. A cone is a fan in the
  /// plane of x and y that the latitude lifts as a whole; where latitudes count from z it is solid, as space is then
  /// meant. An inner cell's latitude is always seen from its parent's direction.
  private mutating func aim(_ cell: Cell, _ layer: Layer, inner: Bool) {
    let up = layer.shape == .line && layer.directions == .natural
    naturalX = up ? 0 : 1
    naturalY = up ? -1 : 0
    longitude = Self.turns(cell.emissionLongitude)
    let opening = min(abs(cell.emissionRange.tamed) / (2 * Double.pi), 1)
    var latitude = Self.turns(cell.emissionLatitude)
    if layer.latitudes == .fromZ {
      if !inner { latitude = 0.25 - latitude }
      solid = 1
      var (c, s): (Float, Float) = (0, 0)
      vg_turn(Float(opening / 4), &c, &s)
      cap = 2 * s * s
    } else {
      fan = Float(opening / 2)
    }
    vg_turn(latitude, &cosLatitude, &sinLatitude)
  }

  /// Radians as turns from −½ to ½.
  private static func turns(_ radians: Double) -> Float {
    let turns = radians.tamed / (2 * Double.pi)
    return Float(turns - turns.rounded())
  }
}

extension vg_shape {
  init(_ frame: Frame, owed: Double, apart: Double, after: Double) {
    let layer = frame.layer
    let (centre, last) = (frame.centre, frame.lastCentre)
    self.init(
      shape: Int32(layer.shape.kernel), mode: Int32(layer.mode.kernel), width: layer.size.width.float,
      height: layer.size.height.float, depth: layer.depth.float, x: Float(centre.x), y: Float(centre.y),
      z: Float(centre.z), fromX: Float(last.x - centre.x), fromY: Float(last.y - centre.y),
      fromZ: Float(last.z - centre.z), owed: owed, apart: apart, after: after)
  }
}

extension vg_parents {
  init(_ parent: Population, _ frame: Frame) {
    let cell = frame.layer.cell(at: parent.path)
    let growths = parent.growths
    self.init(
      all: parent.all, seconds: Float(frame.seconds(cell)), ax: cell.xAcceleration.float,
      ay: cell.yAcceleration.float, az: cell.zAcceleration.float, scale: growths.scale.float,
      red: growths.red.float, green: growths.green.float, blue: growths.blue.float, alpha: growths.alpha.float
    )
  }
}

extension Population {
  /// What this cell's next births draw with.
  func lots(seed: UInt32) -> vg_lots {
    let era = UInt32(truncatingIfNeeded: number >> 32)
    if let lots, lots.seed == seed, lots.era == era { return lots.lots }
    let fresh = identity.lots(seed: seed, era: era)
    lots = (fresh, seed, era)
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
