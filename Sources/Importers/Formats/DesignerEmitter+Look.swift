import Particles

/// Sizes and blending.
extension DesignerEmitter {
  /// Whether particles change their size.
  var draftGrows: Bool { file.startSize.mean != sizes.finish }

  /// The sizes in points at birth and at the end, as its program has them.
  private var sizes: (start: Double, finish: Double) {
    let least = file.format == .pex ? 0.1 : 0
    let start = max(file.startSize.mean, least)
    // cocos2d's word for "as at the start".
    if file.format == .plist, file.finishSize.mean == -1 { return (start, start) }
    return (start, max(file.finishSize.mean, least))
  }

  mutating func size() {
    let width = Double(textureSize.width)
    let (start, finish) = sizes
    draft.set(cell: \.scale, start / width, from: "startParticleSize")
    draft.set(cell: \.scaleRange, file.startSize.variance / width, from: "startParticleSizeVariance")
    draft.set(cell: \.scaleSpeed, (finish - start) / life / width, from: "finishParticleSize")
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

  mutating func blend() {
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
