/// What a slot of a fixture does, by the word that graph files have for it: `dimmer`, `red`, `pan`. A word of anybody's own
/// is an attribute, too, 0…1.
public struct LightAttribute: Sendable, Hashable, CustomStringConvertible {
  /// The word.
  public let name: String

  /// The attribute of a word that is known, or of one's own.
  private init(_ name: String) { self.name = name }

  /// The word.
  public var description: String { name }

  /// What an attribute belongs to.
  public enum Family: Sendable {
    /// How bright it is; fixtures without a dimmer are dimmed by their colors.
    case intensity
    /// Light of a color: more of it is more light.
    case additive
    /// A filter: more of it is less light.
    case subtractive
    /// Where it points.
    case position
    /// The form of the beam, and all else.
    case beam
  }

  /// What is known of an attribute.
  struct Facts: Sendable {
    let family: Family
    /// The unit of its numbers in graph files.
    let unit: Unit
    /// The numbers that its slots stand for from 0 to full, unless a fixture says otherwise.
    let range: ClosedRange<Double>
    /// What charts of fixtures call it besides, without spaces and case.
    let others: [String]
  }

  private static let degree = Double.pi / 180

  /// The words that have a meaning, with what is known of them, in the order of the docs.
  private static let table: [(name: String, facts: Facts)] = {
    func ratio(_ family: Family, _ others: String...) -> Facts {
      Facts(family: family, unit: .ratio, range: 0...1, others: others)
    }
    func angle(_ family: Family, _ low: Double, _ high: Double, _ others: String...) -> Facts {
      Facts(family: family, unit: .radians, range: low * degree...high * degree, others: others)
    }
    return [
      ("dimmer", ratio(.intensity, "intensity", "master", "brightness")), ("red", ratio(.additive, "r")),
      ("green", ratio(.additive, "g")), ("blue", ratio(.additive, "b")), ("white", ratio(.additive, "w")),
      ("amber", ratio(.additive, "a")), ("lime", ratio(.additive)), ("uv", ratio(.additive, "ultraviolet")),
      ("indigo", ratio(.additive)), ("warmWhite", ratio(.additive, "warmwhite", "ww")),
      ("coldWhite", ratio(.additive, "coldwhite", "coolwhite", "cw")),
      (
        "temperature",
        Facts(family: .beam, unit: .kelvin, range: 2700...6500, others: ["colortemperature", "cct"])
      ), ("colorWheel", ratio(.beam, "colorwheel", "colourwheel")),
      ("colorWheel2", ratio(.beam, "colorwheel2", "colourwheel2")),
      ("cyan", ratio(.subtractive, "c")), ("magenta", ratio(.subtractive, "m")),
      ("yellow", ratio(.subtractive, "y")), ("pan", angle(.position, -270, 270)),
      ("tilt", angle(.position, -135, 135)), ("zoom", angle(.beam, 5, 50)), ("focus", ratio(.beam)),
      ("iris", ratio(.beam)), ("frost", ratio(.beam)), ("prism", ratio(.beam)), ("gobo", ratio(.beam)),
      ("gobo2", ratio(.beam)),
      (
        "strobe",
        Facts(family: .beam, unit: .hertz, range: 0...25, others: ["shutter", "strobo", "shutterstrobe"])
      ), ("speed", ratio(.beam)), ("fog", ratio(.intensity, "smoke", "haze")), ("fan", ratio(.beam)),
    ]
  }()

  /// The words that have a meaning, in the order of the docs.
  public static let known = table.map(\.name)

  private static let facts = Dictionary(uniqueKeysWithValues: table.map { ($0.name, $0.facts) })
  /// Known words by what charts call them.
  private static let names: [String: String] = {
    var names = Dictionary(uniqueKeysWithValues: table.map { ($0.name, $0.name) })
    for (name, facts) in table { for other in facts.others { names[other] = name } }
    return names
  }()

  /// The attribute that a chart calls by a word, such as `Intensity`; one of its own name where none is known.
  public static func named(_ word: String) -> LightAttribute {
    let plain = word.lowercased().filter { !" -_/".contains($0) }
    return LightAttribute(names[plain] ?? word)
  }

  private var facts: Facts? { Self.facts[name] }

  /// What it belongs to.
  public var family: Family { facts?.family ?? .beam }
  /// The unit of its numbers in graph files.
  public var unit: Unit { facts?.unit ?? .ratio }
  /// The numbers that its slots stand for from 0 to full, unless a fixture says otherwise; radians, hertz, kelvin, or 0…1.
  public var range: ClosedRange<Double> { facts?.range ?? 0...1 }

  /// Whether it has places that are counted from 1, where a fixture file knows them.
  public var isWheel: Bool { ["prism", "gobo", "gobo2", "colorWheel", "colorWheel2"].contains(name) }

  /// How bright a fixture is.
  public static let dimmer = LightAttribute("dimmer")
}
