import Engine
import Graphs
import Particles

/// Makes colors from levels.
enum Gradient: RunnableNode {
  static let name = "gradient"
  static let help = """
    Makes a color of each level: 0 is the first of `colors`, 1 the last. Between them the color changes evenly to the \
    eye, in a straight line through OKLab (Ottosson 2020), premultiplied by alpha as in CSS Color 4. Each channel \
    becomes three or four, named such as `Kick.red`: red, green, blue, and alpha or white.

    Parts are made in four steps: the color as light, each of red, green and blue 0…1 in proportion to it; clamped to that; \
    `channels`; `encoding` of each part but alpha. So `#ff000080`, a red that is half clear, is red 0.50 with `encoding: \
    linear` and 0.74 with srgb; `#ffcc99`, as light 1, 0.60 and 0.32, is with `channels: rgbw` red 0.68, green 0.29, blue 0 \
    and white 0.32 with linear, and 0.84, 0.57, 0 and 0.60 with srgb.
    """

  /// The components that are output for each level.
  enum Parts: String, FieldChoice {
    case rgb, rgba, rgbw
    var help: String {
      switch self {
      case .rgb: "red, green, blue, each times alpha: a transparent color is dark"
      case .rgba: "red, green, blue, not multiplied, and alpha"
      case .rgbw:
        "for lamps with a white LED: times alpha, and what all three have in common, the least of them, is white in place of "
          + "red, green, blue"
      }
    }
    /// The names of the channels.
    var names: [String] {
      ["red", "green", "blue"] + (self == .rgba ? ["alpha"] : self == .rgbw ? ["white"] : [])
    }
  }

  /// The encoding of the components.
  enum Encoding: String, FieldChoice {
    case srgb, linear
    var help: String {
      switch self {
      case .srgb: "as screens and CSS write colors"
      case .linear: "in proportion to the light, as LEDs without a curve of their own need it"
      }
    }
  }

  struct Settings: FieldRecord {
    /// The colors from level 0 to level 1; at least two.
    var colors = [
      Color(red: 0, green: 0, blue: 0), Color(red: 1, green: 0, blue: 0),
      Color(red: 1, green: 1, blue: 1),
    ]
    /// The level of each color, 0…1, ascending; empty: evenly spaced.
    var stops: [Double] = []
    var parts = Parts.rgb
    var encoding = Encoding.srgb

    static let recordName = "gradient"
    static let fields: [Field<Settings>] = [
      Field(
        "colors", \.colors, .list(.color, count: 2...256), each: true, "The colors from level 0 to level 1."),
      Field(
        "stops", \.stops, .list(.number(.ratio, 0...1), count: 0...256), each: true,
        "The level of each color, rising, such as [0, 70 %, 1]; by default evenly spaced."),
      Field("channels", \.parts, change: .rebuild, "What leaves for each level."),
      Field("encoding", \.encoding, each: true, "How the numbers are meant."),
    ]
    init() {}
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [InputPort("in", [.level], "Levels 0…1.")]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [OutputPort("out", .type(.level), "The parts of the color, each 0…1.")]
  }

  static func shape(_ shaping: Shaping<Settings>) -> [[Channel]] {
    for settings in [shaping.settings.all] + shaping.settings.each.values where !settings.stops.isEmpty {
      let stops = settings.stops
      if stops.count != settings.colors.count {
        shaping.report(
          "stops-without-colors", "stops",
          "\(stops.count) stops for \(settings.colors.count) colors; give one for each, or none")
      } else if zip(stops, stops.dropFirst()).contains(where: { $0 > $1 }) {
        shaping.report("stops-out-of-order", "stops", "each stop must lie at or above the one before")
      }
    }
    let names = shaping.settings.all.parts.names
    let channels = shaping.inputs[0].channels
    return [
      channels.enumerated().flatMap { index, channel in
        names.enumerated().map { part, name in
          let prefix = channel.name ?? (channels.count > 1 ? "\(channel.number)" : nil)
          return Channel(index * names.count + part + 1, name: prefix.map { "\($0).\(name)" } ?? name)
        }
      }
    ]
  }

  static func sourceChannels(output: Int, channel: Int, shaping: Shaping<Settings>) -> [Int]? {
    [channel / shaping.settings.all.parts.names.count]
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let (inputs, outputs) = (context.levelInputs[0], context.levelOutputs[0])
    let parts = context.settings.all.parts
    let count = parts.names.count
    let ramps = inputs.indices.map { ColorRamp(context.settings[$0], parts) }
    return NodeParts(
      frame: LevelFunction { frame in
        for (channel, ramp) in ramps.enumerated() {
          let color = ramp.parts(at: frame.levels[inputs[channel]])
          for part in 0..<count { frame.levels[outputs[channel * count + part]] = color[part] }
        }
      })
  }
}

/// Interpolates colors in OKLab, premultiplied by alpha. [frame]
struct ColorRamp {
  /// L, a and b times alpha, then alpha.
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

  /// Red, green, blue, and alpha or white, each 0…1; the fourth is 0 where there is neither. NaN counts as level 0.
  func parts(at level: Float) -> SIMD4<Float> {
    let color = color(at: level.isNaN ? 0 : Double(level))
    let alpha = max(0, min(1, color.w))
    var light = SIMD3<Double>()
    if alpha > 0 {
      light = OKLab.light(SIMD3(color.x, color.y, color.z) / alpha)
      light.clamp(lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 1))
    }
    return SIMD4<Float>(ColorParts.numbers(of: light, alpha, as: kind, encoding))
  }

  private func color(at level: Double) -> SIMD4<Double> {
    guard let above = stops.firstIndex(where: { level < $0 }) else { return colors[colors.count - 1] }
    guard above > 0 else { return colors[0] }
    let t = (level - stops[above - 1]) / (stops[above] - stops[above - 1])
    return colors[above - 1] + (colors[above] - colors[above - 1]) * t
  }
}

/// The components of a color for lamps and displays. [any]
enum ColorParts {
  /// Red, green, blue, and alpha or white, each 0…1, from linear light; the fourth is 0 where there is neither.
  static func numbers(
    of light: SIMD3<Double>, _ alpha: Double, as kind: Gradient.Parts, _ encoding: Gradient.Encoding
  ) -> SIMD4<Double> {
    var light = light
    if kind != .rgba { light *= alpha }
    let white = kind == .rgbw ? light.min() : 0
    light -= white
    var parts = SIMD4(light, kind == .rgba ? alpha : white)
    guard encoding == .srgb else { return parts }
    for part in 0..<(kind == .rgba ? 3 : 4) { parts[part] = OKLab.encoded(parts[part]) }
    return parts
  }

  /// Red, green, blue, and alpha or white, each 0…1, from an sRGB color.
  static func numbers(
    of color: Color, as kind: Gradient.Parts, _ encoding: Gradient.Encoding
  ) -> SIMD4<Double> {
    let light = SIMD3(OKLab.decoded(color.red), OKLab.decoded(color.green), OKLab.decoded(color.blue))
    return numbers(of: light, color.alpha, as: kind, encoding)
  }
}
