/// The function of a fixture's slot, by its word in graph files: `dimmer`, `red`, `pan`. Any other word is an
/// attribute, too, with the range 0…1.
public struct LightAttribute: Sendable, Hashable, CustomStringConvertible {
  /// The word.
  public let name: String

  /// An attribute with a known word, or with one of the author's own.
  private init(_ name: String) { self.name = name }

  /// The word.
  public var description: String { name }

  /// The family of an attribute, which decides how it is dimmed and mixed.
  public enum Family: Sendable {
    /// Brightness. Fixtures without a dimmer are dimmed by their additive colors.
    case intensity
    /// An additive color: a higher level is more light.
    case additive
    /// A filter: a higher level is less light.
    case subtractive
    /// The direction of the beam.
    case position
    /// The form of the beam, and everything else.
    case beam
  }

  /// The properties of a known attribute.
  struct Facts: Sendable {
    let family: Family
    /// The unit of its numbers in graph files.
    let unit: Unit
    /// The default numbers at value 0 and at full value.
    let range: ClosedRange<Double>
    /// Other names in fixtures' charts, in lower case without spaces.
    let others: [String]
  }

  private static let degree = Double.pi / 180

  /// The known words with their properties, in the order of the docs.
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

  /// The known words, in the order of the docs.
  public static let known = table.map(\.name)

  private static let facts = Dictionary(uniqueKeysWithValues: table.map { ($0.name, $0.facts) })
  /// Known words by all their names.
  private static let names: [String: String] = {
    var names = Dictionary(uniqueKeysWithValues: table.map { ($0.name, $0.name) })
    for (name, facts) in table { for other in facts.others { names[other] = name } }
    return names
  }()

  /// The attribute of a word in a chart, such as `Intensity`; an unknown word names its own attribute.
  public static func named(_ word: String) -> LightAttribute {
    let plain = word.lowercased().filter { !" -_/".contains($0) }
    return LightAttribute(names[plain] ?? word)
  }

  private var facts: Facts? { Self.facts[name] }

  /// The family of the attribute.
  public var family: Family { facts?.family ?? .beam }
  /// The unit of its numbers in graph files.
  public var unit: Unit { facts?.unit ?? .ratio }
  /// The default numbers at value 0 and at full value, in radians, hertz, kelvin or 0…1.
  public var range: ClosedRange<Double> { facts?.range ?? 0...1 }

  /// Whether it is a wheel, whose positions count from 1 where a fixture file lists them.
  public var isWheel: Bool { ["prism", "gobo", "gobo2", "colorWheel", "colorWheel2"].contains(name) }

  /// The brightness of a fixture.
  public static let dimmer = LightAttribute("dimmer")
}
