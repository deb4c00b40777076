import Particles

/// The values of a particle file of Particle Designer's family: property lists of cocos2d and XML of Starling. Angles
/// are in degrees, all else is in the units of the file.
///
/// Sources of keys, spellings and defaults: CCParticleSystem.cpp (cocos2d-x) and PDParticleSystem.as (Starling's
/// particle extension).
struct DesignerFile {
  /// A number that varies by at most `variance` to either side of its mean.
  struct Varying {
    var mean: Double
    var variance: Double
  }

  let format: ParticleFormat
  var name: String?
  var isRadial: Bool
  var mostParticles: Double
  /// How long the emitter runs, in seconds; without end at -1, in Starling at any value up to 0.
  var duration: Double
  /// The lifetime of particles, in seconds.
  var life: Varying
  /// The direction of emission, in degrees.
  var angle: Varying
  /// The position of the source and the largest deviation from it, in points.
  var source: Point
  var sourceVariance: Size
  /// The colors at birth and at death, each component 0…1, and their largest deviations.
  var start: Color
  var startVariance: Color
  var finish: Color
  var finishVariance: Color
  /// Sizes at birth and at death, in points.
  var startSize: Varying
  var finishSize: Varying
  /// Rotations of the picture at birth and at death, in degrees.
  var startTurn: Varying
  var finishTurn: Varying
  var blendSource: Double?
  var blendDestination: Double?
  /// The speed of the gravity mode, in points a second.
  var speed: Varying
  /// Accelerations, in points a second squared. Gravity is the same for all particles, the radial one points away from
  /// the source, and the tangential one is at right angles to that.
  var gravity: Point
  var radialAcceleration: Varying
  var tangentialAcceleration: Varying
  var turnsWithDirection: Bool
  /// The radius of the radial mode at birth (maxRadius) and at death (minRadius), in points.
  var outerRadius: Varying
  var innerRadius: Varying
  /// The rotation around the source in the radial mode (rotatePerSecond), in degrees a second.
  var turnsPerSecond: Varying
  /// The value of yCoordFlipped, 1 or -1; nil: not given.
  var flip: Double?

  /// Reads all keys but those of the texture. Throws where a value is invalid.
  init(_ values: inout FileValues, _ format: ParticleFormat) throws(ImportError) {
    self.format = format
    name = try values.text("configName")
    let type = try values.number("emitterType").rounded(.towardZero)
    guard type == 0 || type == 1 else {
      throw ImportError(
        "wrong-value",
        "\(values.file): emitterType is \(Decimal.text(type)); it takes 0 (gravity) or 1 (radial)")
    }
    isRadial = type == 1
    mostParticles = try values.whole("maxParticles")
    duration = try format == .pex ? values.optional("duration") ?? -1 : values.number("duration")
    life = Varying(
      mean: try values.number("particleLifespan", "particleLifeSpan"),
      variance: try values.variance("particleLifespanVariance", "particleLifeSpanVariance"))
    angle = try values.varying("angle")
    source = Point(
      x: try values.optional("sourcePositionx") ?? 0, y: try values.optional("sourcePositiony") ?? 0)
    sourceVariance = Size(
      width: try values.variance("sourcePositionVariancex"),
      height: try values.variance("sourcePositionVariancey"))
    start = try values.color("startColor")
    startVariance = try values.color("startColorVariance", isVariance: true)
    finish = try values.color("finishColor")
    finishVariance = try values.color("finishColorVariance", isVariance: true)
    startSize = try values.varying("startParticleSize")
    finishSize = Varying(
      mean: try values.number("finishParticleSize"),
      variance: try values.variance("finishParticleSizeVariance", "FinishParticleSizeVariance"))
    startTurn = try values.turning("rotationStart")
    finishTurn = try values.turning("rotationEnd")
    blendSource = try values.optional("blendFuncSource")
    blendDestination = try values.optional("blendFuncDestination")
    let ofGravity = !isRadial
    speed = try values.varying("speed", isNeeded: ofGravity)
    gravity = Point(x: try values.optional("gravityx") ?? 0, y: try values.optional("gravityy") ?? 0)
    radialAcceleration = Varying(
      mean: try values.optional("radialAcceleration") ?? 0,
      variance: try values.variance("radialAccelVariance", "radialAccelerationVariance"))
    tangentialAcceleration = Varying(
      mean: try values.optional("tangentialAcceleration") ?? 0,
      variance: try values.variance("tangentialAccelVariance", "tangentialAccelerationVariance"))
    turnsWithDirection = try values.optional("rotationIsDir") ?? 0 != 0
    outerRadius = try values.varying("maxRadius", isNeeded: isRadial)
    innerRadius = try values.varying("minRadius", isNeeded: isRadial)
    turnsPerSecond = try values.varying("rotatePerSecond", isNeeded: false)
    flip = try values.optional("yCoordFlipped")
    if format == .plist, name != nil {
      // For files of Particle Designer 2, which have a name, cocos2d reads these values as integers.
      outerRadius.mean.round(.towardZero)
      innerRadius.mean.round(.towardZero)
      turnsPerSecond.mean.round(.towardZero)
    }
  }
}

extension FileValues {
  /// The largest deviation to either side; a sign has no meaning.
  fileprivate mutating func variance(_ spellings: String...) throws(ImportError) -> Double {
    for key in spellings where has(key) {
      let variance = try optional(spellings[0], spellings[spellings.count - 1]) ?? 0
      return variance.magnitude
    }
    return 0
  }

  /// The mean under a key, and the variance under that key with `Variance`.
  fileprivate mutating func varying(
    _ key: String, isNeeded: Bool = true
  ) throws(ImportError) -> DesignerFile.Varying {
    DesignerFile.Varying(
      mean: try isNeeded ? number(key) : optional(key) ?? 0, variance: try variance(key + "Variance"))
  }

  fileprivate mutating func turning(_ key: String) throws(ImportError) -> DesignerFile.Varying {
    try varying(key, isNeeded: false)
  }

  fileprivate mutating func color(_ key: String, isVariance: Bool = false) throws(ImportError) -> Color {
    func part(_ name: String) throws(ImportError) -> Double {
      try isVariance ? variance(key + name) : number(key + name)
    }
    return Color(
      red: try part("Red"), green: try part("Green"), blue: try part("Blue"), alpha: try part("Alpha"))
  }
}
