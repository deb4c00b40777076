import Glibc
import Particles

/// The two modes of motion, gravity and radial.
extension DesignerEmitter {
  mutating func setGravityMotion() {
    // Where yCoordFlipped is -1, cocos2d moves particles against their velocity, in x and y. Starling has no such
    // key.
    let isReversed = file.format == .plist && file.flip == -1
    let sign = isReversed ? -1.0 : 1
    setDirection(at: isReversed ? file.angle.mean + 180 : file.angle.mean, opening: file.angle.variance)
    draft.set(cell: \.velocity, file.speed.mean, from: "speed")
    draft.set(cell: \.velocityRange, file.speed.variance, from: "speedVariance")
    draft.set(cell: \.xAcceleration, sign * file.gravity.x, from: "gravityx")
    draft.set(
      cell: \.yAcceleration, file.format == .pex ? file.gravity.y : -sign * file.gravity.y, from: "gravityy")
    noteFlip()
    setRadialAcceleration()
    draft.note(
      .left,
      named([
        ("tangentialAcceleration", file.tangentialAcceleration.mean),
        ("tangentialAccelVariance", file.tangentialAcceleration.variance),
      ]), "nothing pushes particles sideways round their source")
    if file.turnsWithDirection {
      draft.note(.left, ["rotationIsDir"], "particles are born upright, whatever their direction")
    }
    draft.note(
      .left,
      named([
        ("maxRadius", file.outerRadius.mean), ("maxRadiusVariance", file.outerRadius.variance),
        ("minRadius", file.innerRadius.mean), ("minRadiusVariance", file.innerRadius.variance),
        ("rotatePerSecond", file.turnsPerSecond.mean),
        ("rotatePerSecondVariance", file.turnsPerSecond.variance),
      ]), "only the radial mode has a use for it, and this is the gravity mode")
  }

  private mutating func noteFlip() {
    guard let flip = file.flip else { return }
    if file.format == .pex {
      draft.note(.left, ["yCoordFlipped"], "Starling does not read it; y grows downwards")
    } else if flip == -1 {
      draft.note(
        .approximated, ["yCoordFlipped"], "-1 turns the motion about, x and y alike, as cocos2d does")
    } else if flip != 1 {
      draft.note(.changed, ["yCoordFlipped"], "takes 1 or -1, so it counts as 1")
    }
  }

  /// Sets a radial acceleration: as an acceleration where all particles fly in one direction, else approximated by a
  /// speed.
  private mutating func setRadialAcceleration() {
    let (push, spread) = (file.radialAcceleration.mean, file.radialAcceleration.variance)
    guard push != 0 || spread != 0 else { return }
    let keys = named([("radialAcceleration", push), ("radialAccelVariance", spread)])
    let speed = file.speed.mean + push * livedLife / 2
    guard file.speed.mean > 0, speed >= 0, file.speed.mean >= file.speed.variance,
      file.sourceVariance == Size()
    else {
      draft.note(.left, keys, "nothing pushes particles away from their source")
      return
    }
    if file.angle.variance == 0, spread == 0 {
      let direction = draft.cell.emissionLongitude
      draft.set(
        cell: \.xAcceleration, draft.cell.xAcceleration + push * cos(direction), from: "gravityx",
        "radialAcceleration")
      draft.set(
        cell: \.yAcceleration, draft.cell.yAcceleration + push * sin(direction), from: "gravityy",
        "radialAcceleration")
      draft.note(.approximated, keys, "as an acceleration along the one direction of flight")
      return
    }
    let share = spread * livedLife / 2
    draft.set(cell: \.velocity, speed, from: "speed", "radialAcceleration")
    draft.set(
      cell: \.velocityRange, (file.speed.variance * file.speed.variance + share * share).squareRoot(),
      from: "speedVariance", "radialAccelVariance")
    draft.note(.approximated, keys, "as an even speed that goes as far in a mean life")
  }

  mutating func setRadialMotion() {
    let (outer, inner) = (file.outerRadius, file.innerRadius)
    // In cocos2d -1 means that the radius stays the same.
    let stays = file.format == .plist && inner.mean == -1
    let end = stays ? outer.mean : inner.mean
    if outer.mean == 0, outer.variance == 0 {
      // Positions are the source minus the radius, so particles fly against their angle. In cocos2d -1 mirrors y
      // alone.
      let angle = file.format == .plist && file.flip == -1 ? -file.angle.mean : file.angle.mean
      setDirection(at: angle + 180, opening: file.angle.variance)
    } else {
      draft.layer.shape = .circle
      draft.layer.mode = .outline
      draft.set(layer: \.size.width, outer.mean.magnitude, from: "maxRadius")
      draft.set(cell: \.emissionRange, 2 * .pi, from: "angleVariance")
      draft.note(
        .approximated, named([("angle", 1), ("angleVariance", 1), ("maxRadius", 1), ("minRadius", 1)]),
        "particles are born all round the outer circle and leave it in any direction as fast as the radius changes"
      )
      draft.note(
        .left, named([("maxRadiusVariance", outer.variance)]), "all are born at one distance from the source")
    }
    draft.set(cell: \.velocity, (end - outer.mean).magnitude / livedLife, from: "maxRadius", "minRadius")
    if file.format == .pex {
      draft.set(cell: \.velocityRange, inner.variance / livedLife, from: "minRadiusVariance")
    } else {
      draft.note(.left, named([("minRadiusVariance", inner.variance)]), "cocos2d does not read it")
    }
    if file.life.variance > 0, end != outer.mean {
      draft.note(
        .approximated, ["particleLifespanVariance"],
        "every particle flies as fast as one of a mean life has to, not of its own")
    }
    noteFlip()
    draft.note(
      .left,
      named([
        ("rotatePerSecond", file.turnsPerSecond.mean),
        ("rotatePerSecondVariance", file.turnsPerSecond.variance),
      ]), "nothing turns particles round their source; they fly straight")
    draft.note(
      .left,
      named([
        ("gravityx", file.gravity.x), ("gravityy", file.gravity.y), ("speed", file.speed.mean),
        ("speedVariance", file.speed.variance), ("radialAcceleration", file.radialAcceleration.mean),
        ("radialAccelVariance", file.radialAcceleration.variance),
        ("tangentialAcceleration", file.tangentialAcceleration.mean),
        ("tangentialAccelVariance", file.tangentialAcceleration.variance),
        ("sourcePositionVariancex", file.sourceVariance.width),
        ("sourcePositionVariancey", file.sourceVariance.height),
        ("rotationIsDir", file.turnsWithDirection ? 1 : 0),
      ]), "only the gravity mode has a use for it, and this is the radial mode")
  }

  /// The keys with a value other than 0.
  private func named(_ keys: [(String, Double)]) -> [String] { keys.filter { $0.1 != 0 }.map(\.0) }
}

/// Sizes of particles.
extension DesignerEmitter {
  /// Whether particles change their size.
  var changesSize: Bool { file.startSize.mean != sizes.finish }

  /// The sizes in points at birth and at death, with the lower limits of the program.
  private var sizes: (start: Double, finish: Double) {
    let least = file.format == .pex ? 0.1 : 0
    let start = max(file.startSize.mean, least)
    // In cocos2d -1 means the same size as at birth.
    if file.format == .plist, file.finishSize.mean == -1 { return (start, start) }
    return (start, max(file.finishSize.mean, least))
  }

  mutating func setSizes() {
    let width = Double(textureSize.width)
    let (start, finish) = sizes
    draft.set(cell: \.scale, start / width, from: "startParticleSize")
    draft.set(cell: \.scaleRange, file.startSize.variance / width, from: "startParticleSizeVariance")
    draft.set(cell: \.scaleSpeed, (finish - start) / pace / width, from: "finishParticleSize")
    if start != file.startSize.mean {
      draft.note(
        .changed, ["startParticleSize"], "\(file.format.program) makes it \(Decimal.text(start)) at least")
    }
    if finish != file.finishSize.mean, file.finishSize.mean != -1 {
      draft.note(
        .changed, ["finishParticleSize"], "\(file.format.program) makes it \(Decimal.text(finish)) at least")
    }
    if file.finishSize.variance != 0, !(file.format == .plist && file.finishSize.mean == -1) {
      draft.note(
        .left, ["finishParticleSizeVariance"], "how sizes change does not differ from particle to particle")
    }
    if file.format == .plist, textureSize.width != textureSize.height {
      draft.note(
        .approximated, ["startParticleSize"],
        "cocos2d draws every texture as a square; here it keeps its \(textureSize.width) × \(textureSize.height)"
      )
    }
  }
}
