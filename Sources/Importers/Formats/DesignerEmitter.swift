import Particles

/// Converts a particle file of Particle Designer's family to an emitter. [control]
///
/// cocos2d has y upwards and counterclockwise angles; Starling and visgraph have y downwards. All rotate pictures
/// clockwise.
struct DesignerEmitter {
  /// The content of the file.
  let file: DesignerFile
  /// The texture's width and height in pixels; the built-in picture's where there is none.
  let textureSize: (width: Int, height: Int)
  /// The resulting emitter.
  var draft = EmitterDraft()

  /// The mean lifetime in seconds that gives the birth rate, at least 0.01.
  var life: Double { max(file.life.mean, 0.01) }

  /// The mean lifetime in seconds of particles that live longer than 0 s, at least 0.01.
  var livedLife: Double { max(draft.cell.lifetime, 0.01) }

  /// The time in which sizes, colors and angles go from start to finish: in seconds, or 1 lifetime (`growth:
  /// perLife`). Each particle takes its own lifetime for it, so where lifetimes differ, rates of change are per
  /// lifetime.
  var pace: Double { draft.layer.growth == .perLife ? 1 : life }

  init(_ file: DesignerFile, textureSize: (width: Int, height: Int)) {
    self.file = file
    self.textureSize = textureSize
    setBirths()
    setSource()
    if file.isRadial { setRadialMotion() } else { setGravityMotion() }
    setColors()
    setSizes()
    setSpin()
    setBlending()
  }

  private mutating func setBirths() {
    let most = file.format == .pex ? file.mostParticles - 1 : file.mostParticles
    var rate = max(0, most) / life
    var lives = DesignerFile.Varying(
      mean: file.format == .pex ? life : file.life.mean, variance: file.life.variance)
    if lives.variance > lives.mean {
      // Lifetimes of 0 s and less are no particles. For example, 0 ± 1 s becomes 0.5 ± 0.5 s with half the birth rate.
      let longest = max(0, lives.mean + lives.variance)
      rate *= longest / (2 * lives.variance)
      lives = DesignerFile.Varying(mean: longest / 2, variance: longest / 2)
    }
    draft.set(cell: \.birthRate, rate, from: "maxParticles", "particleLifespan")
    draft.setLimit(file.mostParticles, from: "maxParticles")
    draft.set(cell: \.lifetime, lives.mean, from: "particleLifespan")
    draft.set(cell: \.lifetimeRange, lives.variance, from: "particleLifespanVariance")
    if file.life.mean < 0.01 {
      draft.note(
        .changed, ["particleLifespan"],
        "is \(Decimal.text(file.life.mean)) s, so births are counted as if it were 0.01 s")
    }
    // In Starling an emitter without a duration runs until it is stopped.
    let isEndless = file.format == .pex ? file.duration <= 0 : file.duration == -1
    if !isEndless { draft.set(layer: \.timing.duration, file.duration, from: "duration") }
    if file.life.variance > 0, file.start != file.finish || changesSize || rotates {
      draft.layer.growth = .perLife
    }
  }

  private mutating func setSource() {
    if file.source != Point() {
      draft.note(
        .left, ["sourcePositionx", "sourcePositiony"], "visgraph places emitters by the stage and `position`")
    }
    guard !file.isRadial, file.sourceVariance != Size() else { return }
    draft.layer.shape = .rectangle
    draft.set(layer: \.size.width, 2 * file.sourceVariance.width, from: "sourcePositionVariancex")
    draft.set(layer: \.size.height, 2 * file.sourceVariance.height, from: "sourcePositionVariancey")
  }

  /// Sets the emission angle in degrees, and its variance.
  mutating func setDirection(at angle: Double, opening: Double) {
    let screen = file.format == .pex ? angle : -angle
    let longitude = screen.remainder(dividingBy: 360)
    draft.set(cell: \.emissionLongitude, longitude * .pi / 180, from: "angle")
    draft.set(cell: \.emissionRange, min(2 * opening, 360) * .pi / 180, from: "angleVariance")
    if opening > 180 {
      draft.note(.approximated, ["angleVariance"], "more than 180° each way is all round")
    }
  }

  private mutating func setColors() {
    let keys = ["Red", "Green", "Blue", "Alpha"]
    let parts: [any WritableKeyPath<Color, Double> & Sendable] = [\.red, \.green, \.blue, \.alpha]
    let means: [any WritableKeyPath<Cell, Double> & Sendable] = [
      \.color.red, \.color.green, \.color.blue, \.color.alpha,
    ]
    let ranges: [any WritableKeyPath<Cell, Double> & Sendable] = [
      \.redRange, \.greenRange, \.blueRange, \.alphaRange,
    ]
    let speeds: [any WritableKeyPath<Cell, Double> & Sendable] = [
      \.redSpeed, \.greenSpeed, \.blueSpeed, \.alphaSpeed,
    ]
    var lost: [String] = []
    for (index, part) in parts.enumerated() {
      let (start, finish) = (file.start[keyPath: part], file.finish[keyPath: part])
      draft.set(cell: means[index], start, from: "startColor\(keys[index])")
      draft.set(
        cell: ranges[index], file.startVariance[keyPath: part], from: "startColorVariance\(keys[index])")
      let end = min(max(finish, 0), 1)
      if end != finish {
        draft.note(
          .changed, ["finishColor\(keys[index])"], "colors take 0…1, so it is \(Decimal.text(end))")
      }
      draft.set(
        cell: speeds[index], (end - draft.cell[keyPath: means[index]]) / pace,
        from: "finishColor\(keys[index])")
      if file.finishVariance[keyPath: part] != 0 { lost.append("finishColorVariance\(keys[index])") }
    }
    draft.note(.left, lost, "how colors change does not differ from particle to particle")
  }

  /// Whether particles rotate.
  private var rotates: Bool {
    file.startTurn.mean != file.finishTurn.mean || file.startTurn.variance != 0
      || file.finishTurn.variance != 0
  }

  private mutating func setSpin() {
    if file.startTurn.mean != 0 || file.startTurn.variance != 0 {
      draft.note(
        .left, ["rotationStart", "rotationStartVariance"],
        "particles are born upright; only the turning is kept")
    }
    let degrees = (file.finishTurn.mean - file.startTurn.mean) / pace
    draft.set(cell: \.spin, degrees * .pi / 180, from: "rotationStart", "rotationEnd")
    let (first, last) = (file.startTurn.variance, file.finishTurn.variance)
    // The difference of two uniform distributions is approximated by the uniform distribution of the same variance.
    let spread = (first * first + last * last).squareRoot()
    draft.set(
      cell: \.spinRange, spread / pace * .pi / 180, from: "rotationStartVariance", "rotationEndVariance")
    if first != 0, last != 0 {
      draft.note(
        .approximated, ["rotationStartVariance", "rotationEndVariance"],
        "the two together as one spread of the same variance")
    }
  }

  /// Converts OpenGL's two blend factors to additive or normal blending.
  private mutating func setBlending() {
    let keys = ["blendFuncSource", "blendFuncDestination"]
    guard let from = file.blendSource, let to = file.blendDestination else {
      draft.note(.changed, keys, "not given both, so particles are laid over each other")
      return
    }
    switch (Int(exactly: from.rounded(.towardZero)), Int(exactly: to.rounded(.towardZero))) {
    case (770, 1): draft.layer.renderMode = .additive
    case (1, 1):
      draft.layer.renderMode = .additive
      if file.format == .plist {
        draft.note(
          .approximated, keys, "1 and 1 add the light of a texture whatever its alpha; here alpha dims it")
      }
    case (770, 771), (1, 771): break
    case (_, 1):
      draft.layer.renderMode = .additive
      draft.note(
        .approximated, keys, "\(Decimal.text(from)) and 1 are taken as 770 and 1, light added to light")
    default:
      draft.note(
        .approximated, keys,
        "\(Decimal.text(from)) and \(Decimal.text(to)) have no equal; particles are laid over each other")
    }
  }
}
