internal import Particles

/// A color as a function of CSS (CSS Color Module Level 4, sections 5 and 7): `rgb(255 128 0 / 50%)`, `rgb(255, 128,
/// 0, 0.5)`, `hsl(30 100% 50%)`, and the older names `rgba` and `hsla`. Values out of range are refused, as
/// everywhere in a graph file, where CSS would clamp them. A hue may be any angle.
struct CSSColorFunction {
  let color: Color

  /// A number with its unit.
  private typealias Part = Quantity

  init?(_ text: String) {
    let text = text.lowercased()
    guard Self.isMeant(by: text), text.utf8.last == UInt8(ascii: ")"),
      let open = text.firstIndex(of: "("), let parts = Self.parts(text[text.index(after: open)...].dropLast())
    else { return nil }
    let alpha = parts.count == 4 ? Self.part(parts[3], of: 1) : 1
    guard let alpha else { return nil }
    if text.hasPrefix("rgb") {
      let values = parts.prefix(3).compactMap { Self.part($0, of: 255) }
      guard values.count == 3 else { return nil }
      color = Color(red: values[0], green: values[1], blue: values[2], alpha: alpha)
    } else {
      guard let hue = Self.hue(parts[0]), let saturation = Self.part(parts[1], of: 100),
        let lightness = Self.part(parts[2], of: 100)
      else { return nil }
      // The conversion from HSL to sRGB of section 7.1; `place` is 0 for red, 8 for green, 4 for blue.
      func value(_ place: Double) -> Double {
        let sector = (place + hue).truncatingRemainder(dividingBy: 12)
        return lightness - saturation * min(lightness, 1 - lightness)
          * max(-1, min(sector - 3, 9 - sector, 1))
      }
      color = Color(red: value(0), green: value(8), blue: value(4), alpha: alpha)
    }
  }

  /// Whether a text is meant as such a color, right or wrong.
  static func isMeant(by text: String) -> Bool {
    let text = text.prefix(6).lowercased()
    return ["rgb(", "rgba(", "hsl(", "hsla("].contains(where: text.hasPrefix)
  }

  /// Notes about an invalid color function; none for other texts.
  static func hints(_ text: String) -> [String] {
    guard isMeant(by: text) else { return [] }
    if !text.contains(")") {
      return [
        "inside { … } and [ … ] a comma ends the value: put the color in quotes, or write spaces, such as rgb(255 128 0)"
      ]
    }
    return [
      "rgb() takes three numbers 0…255 or three percentages, hsl() a hue and two percentages, each with an "
        + "optional alpha 0…1: rgb(255 128 0 / 50%), hsl(30, 100%, 50%, 0.5)"
    ]
  }

  /// The three or four values, with spaces between them and a `/` before the alpha, or with commas everywhere.
  private static func parts(_ text: Substring) -> [Part]? {
    guard text.utf8.count <= 200 else { return nil }
    var texts: [Substring]
    if text.contains(",") {
      texts = text.split(separator: ",", omittingEmptySubsequences: false)
    } else {
      let sides = text.split(separator: "/", omittingEmptySubsequences: false)
      guard sides.count <= 2 else { return nil }
      texts = sides[0].split { $0 == " " || $0 == "\t" }
      guard texts.count == 3 else { return nil }
      texts += sides.dropFirst()
    }
    // In CSS no space stands between a number and its unit.
    let parts = texts.compactMap { text -> Part? in
      let text = trimmed(text)
      return text.utf8.contains(0x20) ? nil : Part(String(text))
    }
    return (3...4).contains(parts.count) && parts.count == texts.count ? parts : nil
  }

  /// A component 0…1: a percentage, or a number divided by `whole`; nil if it is out of range or has another unit.
  private static func part(_ part: Part, of whole: Double) -> Double? {
    let value: Double
    switch part.unit {
    case "": value = part.number / whole
    case "%": value = part.shifted(byPowerOfTen: -2)
    default: return nil
    }
    return (0...1).contains(value) ? value : nil
  }

  /// A hue in twelfths of a turn, from 0 up to but not including 12.
  private static func hue(_ part: Part) -> Double? {
    let twelfths: Double
    switch part.unit {
    case "", "deg": twelfths = part.number / 30
    case "grad": twelfths = part.number * 12 / 400
    case "rad": twelfths = part.number * 6 / .pi
    case "turn": twelfths = part.number * 12
    default: return nil
    }
    let rest = twelfths.truncatingRemainder(dividingBy: 12)
    return rest < 0 ? rest + 12 : rest
  }
}
