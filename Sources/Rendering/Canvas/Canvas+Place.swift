import CRendering
import Particles

extension Canvas {
  /// The farthest position or extent of a sprite, in pixels. Larger ones are clamped, so that integers cannot
  /// overflow.
  package static let farthest = 1_048_576.0
  /// The least radius of the built-in light, in pixels. A smaller light is drawn fainter instead, because it would
  /// flicker when it moves between pixels.
  package static let leastRadius = 1.8
  /// The largest scale of a sprite. Larger ones are clamped.
  package static let largestScale = 1e9
  /// A sprite is drawn if its area times its opacity is more than so many pixels; the built-in light, if its opacity is
  /// more.
  package static let leastArea = 1e-6
  /// With linear filtering, a mip level is used up to so many of its texels per canvas pixel.
  package static var linearStep: Double { CanvasMaterial.linearStep }
  /// The thresholds of ordered dithering, of 8 × 8 pixels by rows: parts of the step from one byte to the next.
  package static var ditherThresholds: [Float] {
    (0..<64).map { vg_dither_threshold(UInt32($0 % 8), UInt32($0 / 8)) }
  }
  /// The weights of `vg_light_profile`, the brightness of the built-in light.
  package static let lightProfile = (wide: VG_LIGHT_WIDE, narrow: VG_LIGHT_NARROW)

  /// Places a sprite on the canvas; nil if it is invisible.
  func place(_ sprite: Sprite, _ material: CanvasMaterial, adds: Bool) -> vg_sprite? {
    guard material.texture != nil, sprite.x.isFinite, sprite.y.isFinite, sprite.scale > 0, sprite.alpha > 0
    else { return nil }
    let alpha = min(1, sprite.alpha)
    var placed = vg_sprite()
    placed.adds = adds ? 1 : 0
    placed.red = Self.clamp01(sprite.red) * alpha
    placed.green = Self.clamp01(sprite.green) * alpha
    placed.blue = Self.clamp01(sprite.blue) * alpha
    placed.alpha = alpha
    // Pixels of the canvas per pixel of the picture.
    let magnification = min(Double(sprite.scale), Self.largestScale) * viewport.scale / material.contentsScale
    let reach: (across: Double, down: Double)
    if material.isLight {
      reach = shapeLight(&placed, radius: min(Double(Contents.softSize) / 2 * magnification, Self.farthest))
    } else {
      reach = shapePicture(&placed, material, magnification: magnification, angle: sprite.angle)
    }
    guard reach.across > 0 else { return nil }
    let (x, y) = (
      viewport.x + Double(sprite.x) * viewport.scale, viewport.y + Double(sprite.y) * viewport.scale
    )
    return setBounds(&placed, x, y, reach.across, reach.down) ? placed : nil
  }

  private static func clamp01(_ value: Float) -> Float { value > 0 ? min(value, 1) : 0 }

  private func shapeLight(_ placed: inout vg_sprite, radius: Double) -> (across: Double, down: Double) {
    // The fourth root of r⁴ + least⁴ equals r, nearly, once r is a few pixels.
    let square = (radius * radius * radius * radius + Self.leastSquared).squareRoot()
    let dimmed = Float(radius * radius / square)
    placed.red *= dimmed
    placed.green *= dimmed
    placed.blue *= dimmed
    placed.alpha *= dimmed
    placed.kind = UInt8(VG_SOFT.rawValue)
    placed.step = Float(1 / square)
    let reach = square.squareRoot()
    placed.reach = Float(reach)
    return placed.alpha > Float(Self.leastArea) ? (reach, reach) : (0, 0)
  }

  private static let leastSquared = leastRadius * leastRadius * leastRadius * leastRadius

  private func shapePicture(
    _ placed: inout vg_sprite, _ material: CanvasMaterial, magnification: Double, angle: Float
  ) -> (across: Double, down: Double) {
    let width = min(material.width * magnification, Self.farthest)
    let height = min(material.height * magnification, Self.farthest)
    guard width * height * Double(placed.alpha) > Self.leastArea else { return (0, 0) }
    let step = 1 / magnification
    let (kind, level, blend) = material.sampling(step: step)
    let reach = material.reach(level: level, blended: kind == VG_TRILINEAR)
    guard reach > 0 else { return (0, 0) }
    let rotation = SinCos(angle)
    placed.cosine = rotation.cosine
    placed.sine = rotation.sine
    placed.half_width = Float(width / 2 + 0.5)
    placed.half_height = Float(height / 2 + 0.5)
    placed.most_across = Float(min(1, width))
    placed.most_down = Float(min(1, height))
    placed.step = Float(step)
    placed.blend = blend
    placed.kind = UInt8(kind.rawValue)
    placed.level = UInt32(material.firstMipLevel + level)
    let round = min(reach * magnification + 1, 2 * Self.farthest)
    placed.reach = Float(round)
    let (cosine, sine) = (Double(rotation.cosine.magnitude), Double(rotation.sine.magnitude))
    let (halfWidth, halfHeight) = (width / 2 + 0.5, height / 2 + 0.5)
    return (
      min(round, cosine * halfWidth + sine * halfHeight),
      min(round, sine * halfWidth + cosine * halfHeight)
    )
  }

  /// Sets the pixel bounds of a sprite; false if it lies outside of the stage.
  private func setBounds(
    _ placed: inout vg_sprite, _ x: Double, _ y: Double, _ across: Double, _ down: Double
  ) -> Bool {
    guard x.magnitude < 2 * Self.farthest, y.magnitude < 2 * Self.farthest else { return false }
    let left = max(viewport.columns.lowerBound, Int((x - across).rounded(.down)))
    let right = min(viewport.columns.upperBound, Int((x + across).rounded(.up)) + 1)
    let top = max(viewport.rows.lowerBound, Int((y - down).rounded(.down)))
    let bottom = min(viewport.rows.upperBound, Int((y + down).rounded(.up)) + 1)
    guard left < right, top < bottom else { return false }
    (placed.left, placed.right) = (Int32(left), Int32(right))
    (placed.top, placed.bottom) = (Int32(top), Int32(bottom))
    let (column, row) = (x.rounded(.down), y.rounded(.down))
    (placed.x, placed.y) = (Int32(column), Int32(row))
    (placed.x_part, placed.y_part) = (Float(x - column), Float(y - row))
    return true
  }

  /// Draws a picture over the whole stage, below all sprites.
  func cover(with picture: Picture) {
    guard picture.width > 0, picture.height > 0 else { return }
    if backdrop?.picture != picture {
      let whole = PixelRect(x: 0, y: 0, width: picture.width, height: picture.height)
      backdrop = (picture, Texture(picture, whole))
    }
    guard let texture = backdrop?.texture else { return }
    let material = CanvasMaterial(texture, firstMipLevel: mipLevels.count)
    mipLevels.append(contentsOf: material.mipLevels)
    used.append(texture)
    let (across, down) = (Double(viewport.columns.count), Double(viewport.rows.count))
    let magnification = max(across / material.width, down / material.height)
    var placed = vg_sprite()
    (placed.red, placed.green, placed.blue, placed.alpha) = (1, 1, 1, 1)
    guard shapePicture(&placed, material, magnification: magnification, angle: 0).across > 0 else { return }
    // The sprite extends beyond the stage on all sides, so that its antialiased edge is never visible.
    (placed.half_width, placed.half_height) = (Float(across + 2), Float(down + 2))
    (placed.most_across, placed.most_down) = (1, 1)
    placed.reach = Float(across + down + 4)
    let x = Double(viewport.columns.lowerBound) + across / 2
    let y = Double(viewport.rows.lowerBound) + down / 2
    if setBounds(&placed, x, y, across, down) { sprites.append(placed) }
  }
}

/// Sine and cosine from sums and products alone. Results of the C library differ in the last digit between
/// processors, because it chooses an implementation for each.
struct SinCos {
  let sine: Float
  let cosine: Float

  /// `angle` is in radians. An angle that is not finite counts as 0.
  init(_ angle: Float) {
    guard angle.isFinite, angle != 0 else {
      (sine, cosine) = (0, 1)
      return
    }
    let quarters = Double(angle) * 0.636_619_772_367_581_343  // 2/π
    let nearest = quarters.rounded()
    let x = (quarters - nearest) * 1.570_796_326_794_896_619
    let s = x * x
    // Taylor series up to x¹¹ and x¹²; within ±π/4 their error is below 10⁻¹¹.
    let sineSum =
      x * (1 - s * (1.0 / 6 - s * (1.0 / 120 - s * (1.0 / 5040 - s * (1.0 / 362_880 - s / 39_916_800)))))
    let cosineSum =
      1 - s
      * (0.5 - s * (1.0 / 24 - s * (1.0 / 720 - s * (1.0 / 40320 - s * (1.0 / 3_628_800 - s / 479_001_600)))))
    switch Int(nearest.truncatingRemainder(dividingBy: 4)) & 3 {
    case 0: (sine, cosine) = (Float(sineSum), Float(cosineSum))
    case 1: (sine, cosine) = (Float(cosineSum), Float(-sineSum))
    case 2: (sine, cosine) = (Float(-sineSum), Float(-cosineSum))
    default: (sine, cosine) = (Float(-cosineSum), Float(sineSum))
    }
  }
}
