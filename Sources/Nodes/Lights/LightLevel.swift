import Graphs

/// The value of an attribute in `set`: a level, or the name of a range.
enum LightLevel: FieldValue {
  /// 0…1.
  case level(Double)
  /// The name of a range in the fixture file.
  case position(String)

  private static let number = ValueKind.number(.ratio, 0...1)
  private static let name = ValueKind.text(pattern: "^.{1,64}$", form: "the name of a place")
  static let kind = ValueKind.oneOf([number, name])

  /// Reads a number, unless it is in quotes; any other text is a name.
  static func read(_ tree: Tree, as kind: ValueKind, _ context: ReadContext) -> LightLevel? {
    if case .scalar(let text, let isQuoted) = tree.content, isQuoted || Quantity(text) == nil, !tree.isNothing
    {
      return String.read(tree, as: name, context).map(LightLevel.position)
    }
    return Double.read(tree, as: number, context).map(LightLevel.level)
  }

  func written(as kind: ValueKind) -> String {
    switch self {
    case .level(let level): level.written(as: Self.number)
    case .position(let text): text.written(as: Self.name)
    }
  }
}

/// Converts a color to the light sources that a lamp has.
struct LampColors: Sendable {
  /// Whether white follows from the color.
  var hasWhite = false
  /// Whether amber follows from the color.
  var hasAmber = false
  /// The shares of warm and cold white in the part that red, green and blue have in common; nil where the lamp has no
  /// such white that follows from the color.
  var whites: SIMD2<Float>?

  /// The share of green in amber light, relative to red.
  private static let greenOfAmber: Float = 0.5
  /// The color temperatures of warm and cold white, in kelvin.
  private static let (warm, cold) = (2700.0, 6500.0)

  /// The shares of warm and cold white for a color temperature in kelvin; the larger share is 1. Nil: 1 for both.
  static func shares(_ temperature: Double?) -> SIMD2<Float> {
    guard let temperature else { return SIMD2(1, 1) }
    // Interpolates linearly in mireds (1e6 / kelvin).
    let part = (1 / warm - 1 / temperature) / (1 / warm - 1 / cold)
    let share = Float(max(0, min(1, part)))
    return SIMD2(min(1, 2 * (1 - share)), min(1, 2 * share))
  }

  /// Red, green, blue, white, amber, warm and cold white for a color given as red, green and blue. [frame]
  func parts(_ light: SIMD3<Float>) -> SIMD8<Float> {
    var light = light
    let white = hasWhite || whites != nil ? light.min() : 0
    light -= white
    var amber: Float = 0
    if hasAmber {
      amber = max(0, min(light.x - light.z, (light.y - light.z) / Self.greenOfAmber))
      light -= SIMD3(amber, amber * Self.greenOfAmber, 0)
    }
    let whites = hasWhite ? SIMD2() : (whites ?? SIMD2()) * white
    return SIMD8(light.x, light.y, light.z, hasWhite ? white : 0, amber, whites.x, whites.y, 0)
  }

  /// The index of an attribute in `parts`; nil: it does not follow from a color.
  static func place(of attribute: LightAttribute) -> Int? {
    ["red", "green", "blue", "white", "amber", "warmWhite", "coldWhite"].firstIndex(of: attribute.name)
  }
}
