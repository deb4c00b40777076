import Graphs

/// Converts a color to the light sources that a lamp has.
struct LampColors: Sendable {
  /// Whether white follows from the color.
  var hasWhite = false
  /// Whether amber follows from the color.
  var hasAmber = false
  /// The factors of warm and cold white for the part that red, green and blue have in common; nil where the lamp has no
  /// such white that follows from the color. A lamp with plain white uses that alone.
  var whites: SIMD2<Float>?

  /// The light sources, in the order of `parts`.
  private static let names = ["red", "green", "blue", "white", "amber", "warmWhite", "coldWhite"]
  /// Green in amber light, relative to red.
  private static let greenOfAmber: Float = 0.5
  /// The color temperatures of warm and cold white, in kelvin.
  private static let (warm, cold) = (2700.0, 6500.0)

  /// The factors of warm and cold white at a color temperature in kelvin. The larger one is 1; both are in the middle, as
  /// they are for nil.
  static func whiteFactors(at temperature: Double?) -> SIMD2<Float> {
    guard let temperature else { return SIMD2(1, 1) }
    // Interpolates linearly in mireds (1e6 / kelvin).
    let part = (1 / warm - 1 / temperature) / (1 / warm - 1 / cold)
    let coldPart = Float(max(0, min(1, part)))
    return SIMD2(min(1, 2 * (1 - coldPart)), min(1, 2 * coldPart))
  }

  /// The light sources for a color given as red, green and blue, all 0…1. The last element is 0. [frame]
  func parts(_ light: SIMD3<Float>) -> SIMD8<Float> {
    var light = light
    let white = hasWhite || whites != nil ? light.min() : 0
    light -= white
    var amber: Float = 0
    if hasAmber {
      // Amber has no blue. Red and green as strong as blue make white with it, so amber replaces what exceeds that.
      amber = max(0, min(light.x - light.z, (light.y - light.z) / Self.greenOfAmber))
      light -= SIMD3(amber, amber * Self.greenOfAmber, 0)
    }
    let whites = hasWhite ? SIMD2() : (whites ?? SIMD2()) * white
    return SIMD8(light.x, light.y, light.z, hasWhite ? white : 0, amber, whites.x, whites.y, 0)
  }

  /// The index of an attribute in `parts`; nil: it does not follow from a color.
  static func place(of attribute: LightAttribute) -> Int? { names.firstIndex(of: attribute.name) }
}
