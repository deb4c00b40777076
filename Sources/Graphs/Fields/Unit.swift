import Glibc

/// The unit of a number in a graph file.
public enum Unit: String, Sendable, CaseIterable {
  /// A plain number.
  case none
  /// Seconds; `ms`, `s`, `min` and `frame` are understood.
  case seconds
  /// Decibels; `dB` is understood.
  case decibels
  /// Decibels of how loud something is: the bottom of the range is silence, and `-inf dB` or `off` says so.
  case gain
  /// A factor of sound, 1 is as it was; a plain number, which fades evenly for the ear.
  case amplitude
  /// Hertz; `Hz` and `kHz` are understood.
  case hertz
  /// Radians; `rad`, `deg`, `°` and `turn` are understood.
  case radians
  /// Points of the stage in no direction, such as a radius; `pt` is understood.
  case points
  /// Points of the stage from left to right; `pt`, and `%` of its width are understood.
  case pointsAcross
  /// Points of the stage from top to bottom; `pt`, and `%` of its height are understood.
  case pointsDown
  /// Amperes; `A` and `mA` are understood.
  case amperes
  /// Parts of a whole, kept as 0…1; `%` is understood.
  case ratio
  /// A count or rate per second; `/s` is understood.
  case perSecond
  /// The color of white light in kelvin; `K` is understood.
  case kelvin

  /// The words that may stand behind a number, the unit of a bare number first.
  public var words: [String] {
    switch self {
    case .none, .amplitude: []
    case .seconds: ["s", "ms", "min", "frame", "frames"]
    case .decibels, .gain: ["dB"]
    case .hertz: ["Hz", "kHz"]
    case .radians: ["rad", "deg", "°", "turn", "turns"]
    case .points: ["pt"]
    case .pointsAcross, .pointsDown: ["pt", "%"]
    case .amperes: ["A", "mA"]
    case .ratio: ["%"]
    case .perSecond: ["/s"]
    case .kelvin: ["K"]
    }
  }

  /// What stands behind a number in ranges and defaults; empty where the bare number is clearer.
  public var symbol: String {
    switch self {
    case .none, .amplitude, .ratio: ""
    case .seconds: "s"
    case .decibels, .gain: "dB"
    case .hertz: "Hz"
    case .radians: "rad"
    case .points, .pointsAcross, .pointsDown: "pt"
    case .amperes: "A"
    case .perSecond: "/s"
    case .kelvin: "K"
    }
  }

  /// The word that was probably meant by one that is not understood: what people say in full, or in other letters.
  func word(meantBy word: String) -> String? {
    let lower = word.lowercased()
    if let same = words.first(where: { $0.lowercased() == lower }) { return same }
    let meant: String? =
      switch lower {
      case "sec", "secs", "second", "seconds": "s"
      case "msec", "msecs", "millisecond", "milliseconds": "ms"
      case "m", "mins", "minute", "minutes": "min"
      case "fr", "f": "frame"
      case "decibel", "decibels", "dbfs": "dB"
      case "hertz": "Hz"
      case "kelvin": "K"
      case "k", "kilohertz": "kHz"
      case "degree", "degrees", "grad": "deg"
      case "radian", "radians": "rad"
      case "px", "pixel", "pixels", "point", "points": "pt"
      case "percent": "%"
      case "ampere", "amperes", "amp", "amps": "A"
      case "milliampere", "milliamperes": "mA"
      default: nil
      }
    return meant.flatMap { words.contains($0) ? $0 : nil }
  }

  /// The unit as programs are told it: what else a gain and an amplitude are, they are told otherwise.
  public var told: Unit {
    switch self {
    case .gain: .decibels
    case .amplitude: .none
    default: self
    }
  }

  /// What silence may be called where a gain stands.
  public static let silence = ["-inf dB", "-inf", "off"]

  /// A quantity as a number in this unit; nil when its own unit is not understood here.
  public func value(of quantity: Quantity, fps: FrameRate, stage: Stage) -> Double? {
    if quantity.unit.isEmpty { return quantity.number }
    switch (self, quantity.unit) {
    case (.seconds, "s"), (.decibels, "dB"), (.gain, "dB"), (.hertz, "Hz"), (.radians, "rad"),
      (.points, "pt"),
      (.pointsAcross, "pt"), (.pointsDown, "pt"), (.amperes, "A"), (.perSecond, "/s"), (.kelvin, "K"):
      return quantity.number
    case (.seconds, "ms"): return quantity.shifted(byPowerOfTen: -3)
    case (.seconds, "min"): return quantity.number * 60
    case (.seconds, "frame"), (.seconds, "frames"):
      return quantity.number * Double(fps.seconds) / Double(fps.frames)
    case (.amperes, "mA"): return quantity.shifted(byPowerOfTen: -3)
    case (.hertz, "kHz"): return quantity.shifted(byPowerOfTen: 3)
    case (.radians, "deg"), (.radians, "°"): return quantity.number * .pi / 180
    case (.radians, "turn"), (.radians, "turns"): return quantity.number * 2 * .pi
    case (.pointsAcross, "%"): return quantity.number * Double(stage.width) / 100
    case (.pointsDown, "%"): return quantity.number * Double(stage.height) / 100
    case (.ratio, "%"): return quantity.shifted(byPowerOfTen: -2)
    default: return nil
    }
  }

  /// A number of this unit as it is written in one of its words, such as 0.3 s in `ms`; nil where the word does not belong
  /// to this unit, or no number with twelve figures in it is exactly that one.
  func text(_ number: Double, in word: String, fps: FrameRate, stage: Stage) -> String? {
    guard let one = Quantity("1 \(word)").flatMap({ value(of: $0, fps: fps, stage: stage) }), one > 0 else {
      return nil
    }
    let quotient = number / one
    let figures = quotient == 0 ? 1 : pow(10, 11 - log10(abs(quotient)).rounded(.down))
    let text = "\(shortest((quotient * figures).rounded() / figures)) \(word)"
    return Quantity(text).flatMap { value(of: $0, fps: fps, stage: stage) } == number ? text : nil
  }
}
