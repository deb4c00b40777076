import Graphs
import Particles

/// The way of a level through colors in OKLab, premultiplied. [frame]
struct ColorRamp {
  /// L, a and b times alpha, and alpha.
  private let colors: [SIMD4<Double>]
  private let stops: [Double]
  private let kind: Gradient.Parts
  private let encoding: Gradient.Encoding

  init(_ settings: Gradient.Settings, _ kind: Gradient.Parts) {
    colors = settings.colors.map(OKLab.premultiplied)
    let last = Double(max(1, settings.colors.count - 1))
    stops =
      settings.stops.count == settings.colors.count
      ? settings.stops : settings.colors.indices.map { Double($0) / last }
    self.kind = kind
    encoding = settings.encoding
  }

  /// Red, green, blue, and alpha or white, each 0…1; the fourth is 0 where there is none. What is not a number reads as
  /// 0.
  func parts(at level: Float) -> SIMD4<Float> {
    let color = color(at: level.isNaN ? 0 : Double(level))
    let alpha = max(0, min(1, color.w))
    var light = SIMD3<Double>()
    if alpha > 0 {
      light = OKLab.light(SIMD3(color.x, color.y, color.z) / alpha)
      light.clamp(lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 1))
    }
    if kind != .rgba { light *= alpha }
    let white = kind == .rgbw ? light.min() : 0
    light -= white
    var parts = SIMD4(light, kind == .rgba ? alpha : white)
    guard encoding == .srgb else { return SIMD4<Float>(parts) }
    for part in 0..<(kind == .rgba ? 3 : 4) { parts[part] = OKLab.encoded(parts[part]) }
    return SIMD4<Float>(parts)
  }

  private func color(at level: Double) -> SIMD4<Double> {
    guard let above = stops.firstIndex(where: { level < $0 }) else { return colors[colors.count - 1] }
    guard above > 0 else { return colors[0] }
    let t = (level - stops[above - 1]) / (stops[above] - stops[above - 1])
    return colors[above - 1] + (colors[above] - colors[above - 1]) * t
  }
}
