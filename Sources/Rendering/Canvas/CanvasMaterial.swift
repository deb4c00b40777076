import CRendering
import Particles

/// A sprite material, prepared for a canvas: the mipmap of its picture, and the filters.
struct CanvasMaterial {
  /// With linear filtering, a mip level is used up to so many of its texels per canvas pixel, nearly √2.
  static let linearStep = 1.414_213_562_373_095
  /// Nil if the material is invisible.
  let texture: Texture?
  /// The index of its first level in `Canvas.mipLevels`.
  private(set) var firstMipLevel = 0
  /// The levels of its mipmap, for the kernels.
  private(set) var mipLevels: [vg_mip_level] = []
  /// The size of the visible part of the picture, in pixels.
  private(set) var width: Double = 0
  private(set) var height: Double = 0
  /// Pixels of the picture per point.
  private(set) var contentsScale: Double = 1
  /// Whether it is the whole built-in light, which is drawn by its formula and not from texels.
  private(set) var isLight = false
  private var minification = ContentsFilter.linear
  private var magnification = ContentsFilter.linear
  /// 2 to the power of the material's bias: a factor on texels per canvas pixel.
  private var bias: Double = 1
  /// Texels of the first level per pixel of the picture.
  private var density: Double = 1

  init(_ material: SpriteMaterial, textures: Textures, firstMipLevel: Int) {
    self.firstMipLevel = firstMipLevel
    let rect = material.rect.clamped
    guard let shown = textures.shown(by: material), rect.width > 0, rect.height > 0 else {
      texture = nil
      return
    }
    texture = shown.texture
    contentsScale = material.contentsScale > 0 && material.contentsScale.isFinite ? material.contentsScale : 1
    isLight = shown.texture === Texture.soft && rect == UnitRect()
    minification = material.minification
    magnification = material.magnification
    bias = Self.powerOfTwo(material.minificationBias)
    let (across, down) = (Double(shown.picture.width), Double(shown.picture.height))
    width = rect.width * across
    height = rect.height * down
    fillMipLevels(shown.texture, rect.x * across - Double(shown.part.x), rect.y * down - Double(shown.part.y))
  }

  /// Makes a material that shows a whole texture, trilinear where it is drawn smaller.
  init(_ texture: Texture, firstMipLevel: Int) {
    self.texture = texture
    self.firstMipLevel = firstMipLevel
    width = Double(texture.width)
    height = Double(texture.height)
    minification = .trilinear
    fillMipLevels(texture, 0, 0)
  }

  /// Fills `mipLevels` for the visible part, which begins at pixel (`x`, `y`) of a texture.
  private mutating func fillMipLevels(_ texture: Texture, _ x: Double, _ y: Double) {
    density = Double(texture.mipLevels[0].columns) / Double(texture.width)
    mipLevels = texture.mipLevels.map { level in
      let u = Double(level.columns) / Double(texture.width)
      let v = Double(level.rows) / Double(texture.height)
      let columns = Self.samplingRange(x * u, (x + width) * u, level.columns)
      let rows = Self.samplingRange(y * v, (y + height) * v, level.rows)
      return vg_mip_level(
        texels: texture.texels + level.start, stride: Int32(level.stride),
        u_first: columns.first, u_last: columns.last, v_first: rows.first, v_last: rows.last,
        u_centre: Float((x + width / 2) * u - 0.5), v_centre: Float((y + height / 2) * v - 0.5),
        u_scale: Float(u), v_scale: Float(v))
    }
  }

  /// The first and last position for bilinear sampling that reads no texel outside of `from`…`to`, in texels, among
  /// `count` texels.
  private static func samplingRange(_ from: Double, _ to: Double, _ count: Int) -> (first: Float, last: Float)
  {
    let most = Double(count - 1)
    guard to - from > 1 else {
      let middle = Float(max(0, min(most, ((from + to - 1) / 2).rounded())))
      return (middle, middle)
    }
    return (Float(max(0, min(most, from))), Float(max(0, min(most, to - 1))))
  }

  /// 2 to the power of `exponent`, clamped to ±16. Uses only sums, products and square roots, whose results are the
  /// same on every processor.
  static func powerOfTwo(_ exponent: Double) -> Double {
    guard exponent.isFinite else { return 1 }
    let kept = max(-16, min(16, exponent))
    let whole = kept.rounded(.down)
    var (rest, result, root) = (kept - whole, Double(sign: .plus, exponent: Int(whole), significand: 1), 2.0)
    for _ in 0..<24 where rest > 0 {
      root = root.squareRoot()
      rest *= 2
      if rest >= 1 {
        result *= root
        rest -= 1
      }
    }
    return result
  }

  /// Chooses filter and mip level for a sprite. `step`: pixels of the picture per canvas pixel. `blend`: the weight of
  /// the next level, 0…1.
  func sampling(step: Double) -> (kind: vg_sampling, level: Int, blend: Float) {
    var texels = step * density * bias
    let filter = texels > 1 ? minification : magnification
    if filter == .nearest { return (VG_NEAREST, 0, 0) }
    var level = 0
    let last = mipLevels.count - 1
    if filter == .linear {
      while texels > Self.linearStep, level < last {
        texels /= 2
        level += 1
      }
      return (VG_BILINEAR, level, 0)
    }
    while texels >= 2, level < last {
      texels /= 2
      level += 1
    }
    let blend = Float(max(0, min(1, texels - 1)))
    return level < last && blend > 0 ? (VG_TRILINEAR, level, blend) : (VG_BILINEAR, level, 0)
  }

  /// The distance from the center of the visible part to its farthest pixel that is not transparent, in pixels of the
  /// picture.
  func reach(level: Int, blended: Bool) -> Double {
    guard let texture else { return 0 }
    var reach = Double(texture.mipLevels[level].reach)
    if blended { reach = max(reach, Double(texture.mipLevels[level + 1].reach)) }
    if reach == 0 { return 0 }
    // The visible part may begin between texels. Its center is then less than one texel from that of the texels.
    return min(reach + 1, (width * width + height * height).squareRoot() / 2 + 1)
  }
}
