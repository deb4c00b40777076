import Glibc
import Particles

/// Converts an effect of UIEffectDesigner to an emitter. [control]
///
/// Its view is flipped on iOS, so y grows upwards there: directions, y acceleration and spin change their sign.
/// Source of the keys and their meaning: UIEffectDesignerView.m, version 0.1, by the tool's author.
struct EffectEmitter {
  /// The resulting emitter.
  var draft = EmitterDraft()

  /// Reads all keys but the texture. Throws where a value is invalid.
  init(_ values: inout FileValues) throws(ImportError) {
    let version = try values.optional("version") ?? 0
    guard Float(version) <= 0.1 else {
      throw ImportError(
        "newer-version", "\(values.file): version is \(Decimal.text(version)); versions up to 0.1 are known")
    }
    try readPlace(&values)
    try readMotion(&values)
    try readAppearance(&values)
    let alive = draft.cell.birthRate * (draft.cell.lifetime + draft.cell.lifetimeRange)
    if alive > Double(draft.layer.limit) { draft.setLimit(alive.rounded(.up), from: "birthRate") }
  }

  private mutating func readPlace(_ values: inout FileValues) throws(ImportError) {
    let (type, mode) = (try values.whole("emitterType"), try values.whole("emitterMode"))
    let shapes: [EmitterShape] = [.rectangle, .line, .point]
    guard type >= 0, type < 3 else {
      throw ImportError(
        "wrong-value",
        "\(values.file): emitterType is \(Decimal.text(type)); it takes 0 (rectangle), 1 (line) or 2 (point)")
    }
    draft.layer.shape = shapes[Int(type)]
    // The original sets a render mode constant as the emitter's mode; the render mode is meant.
    let modes: [RenderMode] = [.unordered, .additive, .oldestLast, .oldestFirst]
    guard mode >= 0, mode < 4 else {
      throw ImportError(
        "wrong-value",
        "\(values.file): emitterMode is \(Decimal.text(mode)); it takes 0 (unordered), 1 (additive), 2 (oldest last) "
          + "or 3 (oldest first)")
    }
    draft.layer.renderMode = modes[Int(mode)]
    let (width, height) = (try values.number("width"), try values.number("height"))
    if draft.layer.shape != .point { draft.set(layer: \.size.width, width, from: "width") }
    if draft.layer.shape == .rectangle { draft.set(layer: \.size.height, height, from: "height") }
    if try (values.optional("x") ?? 0, values.optional("y") ?? 0) != (0, 0) {
      draft.note(.left, ["x", "y"], "visgraph places emitters by the stage and `position`")
    }
  }

  private mutating func readMotion(_ values: inout FileValues) throws(ImportError) {
    draft.set(cell: \.birthRate, try values.number("birthRate"), from: "birthRate")
    draft.set(cell: \.lifetime, try values.number("lifetime"), from: "lifetime")
    draft.set(cell: \.lifetimeRange, try range("lifetimeRange", &values), from: "lifetimeRange")
    draft.set(cell: \.velocity, try values.number("velocity"), from: "velocity")
    draft.set(cell: \.velocityRange, try range("velocityRange", &values), from: "velocityRange")
    draft.set(cell: \.emissionLatitude, try values.number("latitude"), from: "latitude")
    // A line's own direction is up, which the flip turns to down.
    let longitude = try values.number("longitude")
    let flipped = draft.layer.shape == .line ? Double.pi - longitude : -longitude
    draft.set(cell: \.emissionLongitude, flipped == 0 ? 0 : flipped, from: "longitude")
    draft.set(cell: \.xAcceleration, try values.number("xAcceleration"), from: "xAcceleration")
    let down = -(try values.number("yAcceleration"))
    draft.set(cell: \.yAcceleration, down == 0 ? 0 : down, from: "yAcceleration")
    draft.set(cell: \.zAcceleration, try values.number("zAcceleration"), from: "zAcceleration")
    let spin = -(try values.number("spin"))
    draft.set(cell: \.spin, spin == 0 ? 0 : spin, from: "spin")
    draft.set(cell: \.spinRange, try range("spinRange", &values), from: "spinRange")
  }

  private mutating func readAppearance(_ values: inout FileValues) throws(ImportError) {
    draft.set(cell: \.scale, try values.number("scale"), from: "scale")
    draft.set(cell: \.scaleRange, try range("scaleRange", &values), from: "scaleRange")
    draft.set(cell: \.scaleSpeed, try values.number("scaleSpeed"), from: "scaleSpeed")
    if let text = try values.text("color") {
      let digits = Array(text.utf8.dropFirst())
      guard text.hasPrefix("#"), digits.count == 6,
        let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
      else {
        throw ImportError(
          "wrong-value",
          "\(values.file): color is \"\(FileText.shown(text))\"; it takes red, green and blue as #RRGGBB")
      }
      draft.set(cell: \.color.red, Double(number >> 16) / 255, from: "color")
      draft.set(cell: \.color.green, Double(number >> 8 & 0xFF) / 255, from: "color")
      draft.set(cell: \.color.blue, Double(number & 0xFF) / 255, from: "color")
    } else {
      draft.note(.changed, ["color"], "is not given, so it is white")
    }
    draft.set(cell: \.color.alpha, try values.number("alpha"), from: "alpha")
    draft.set(cell: \.redRange, try range("redRange", &values), from: "redRange")
    draft.set(cell: \.greenRange, try range("greenRange", &values), from: "greenRange")
    draft.set(cell: \.blueRange, try range("blueRange", &values), from: "blueRange")
    draft.set(cell: \.alphaRange, try range("alphaRange", &values), from: "alphaRange")
    draft.set(cell: \.redSpeed, try values.number("redSpeed"), from: "redSpeed")
    draft.set(cell: \.greenSpeed, try values.number("greenSpeed"), from: "greenSpeed")
    draft.set(cell: \.blueSpeed, try values.number("blueSpeed"), from: "blueSpeed")
    draft.set(cell: \.alphaSpeed, try values.number("alphaSpeed"), from: "alphaSpeed")
  }

  /// The largest deviation to either side; a sign has no meaning.
  private func range(_ key: String, _ values: inout FileValues) throws(ImportError) -> Double {
    try values.number(key).magnitude
  }
}
