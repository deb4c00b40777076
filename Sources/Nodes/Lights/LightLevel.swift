import Graphs

/// What `set` of lights says of a channel: a level, or the name of a place of it.
enum LightLevel: FieldValue {
  /// 0…1.
  case level(Double)
  /// The name of a range of the fixture file.
  case position(String)

  private static let number = ValueKind.number(.ratio, 0...1)
  private static let name = ValueKind.text(pattern: "^.{1,64}$", form: "the name of a place")
  static let kind = ValueKind.oneOf([number, name])

  /// What begins as a number is one, unless it stands in quotes.
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

/// What a lamp makes of a color, by the kinds of light that it has.
struct LampColors: Sendable {
  /// White that follows from the color.
  var hasWhite = false
  /// Amber that does.
  var hasAmber = false
  /// Of what red, green and blue have in common, the shares of warm and of cold white; nil: the lamp has none of them that
  /// follows from the color.
  var whites: SIMD2<Float>?

  /// How much green there is in amber light of as much red.
  private static let greenOfAmber: Float = 0.5
  /// The color temperatures of warm and of cold white, in kelvin.
  private static let (warm, cold) = (2700.0, 6500.0)

  /// The shares of warm and cold white that make a color temperature, the larger of which is 1; nil: both.
  static func shares(_ temperature: Double?) -> SIMD2<Float> {
    guard let temperature else { return SIMD2(1, 1) }
    // Between two whites, mireds are even.
    let part = (1 / warm - 1 / temperature) / (1 / warm - 1 / cold)
    let share = Float(max(0, min(1, part)))
    return SIMD2(min(1, 2 * (1 - share)), min(1, 2 * share))
  }

  /// Red, green, blue, white, amber, warm and cold white of red, green and blue. [frame]
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

  /// Where a kind of light stands in `parts`; nil: it does not follow from a color.
  static func place(of attribute: LightAttribute) -> Int? {
    ["red", "green", "blue", "white", "amber", "warmWhite", "coldWhite"].firstIndex(of: attribute.name)
  }
}
