import Glibc

/// The unit of a number in a graph file.
public enum Unit: String, Sendable, CaseIterable {
  /// A plain number.
  case none
  /// Seconds; `ms`, `s`, `min` and `frame` are understood.
  case seconds
  /// Decibels; `dB` is understood.
  case decibels
  /// Decibels of a gain; `dB` is understood. The lowest number of a field's range means silence; a graph may also write
  /// one of `silence` for it. `ReadContext` takes these words where it reads the field, `value(of:)` does not.
  case gain
  /// A linear factor of sound; 1 leaves it unchanged. A fade of such a setting moves the cube root in a
  /// straight line, which the ear hears as even (`NumberSetting`).
  case amplitude
  /// Hertz; `Hz` and `kHz` are understood.
  case hertz
  /// Radians; `rad`, `deg`, `°` and `turn` are understood.
  case radians
  /// Points, the lengths of the stage, without a direction, such as a radius; `pt` is understood. `%` is not, as
  /// width and height differ.
  case points
  /// Points of the stage from left to right; `pt`, and `%` of its width are understood.
  case pointsAcross
  /// Points of the stage from top to bottom; `pt`, and `%` of its height are understood.
  case pointsDown
  /// Amperes; `A` and `mA` are understood.
  case amperes
  /// A part of a whole, kept as 0…1; `%` is understood.
  case ratio
  /// A count or rate per second; `/s` is understood.
  case perSecond
  /// Color temperature of white light in kelvin; `K` is understood.
  case kelvin

  /// The unit words that may follow a number. A bare number has the first word's unit; one of `.ratio` is the part
  /// itself: 0.5 is 50 %.
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

  /// The unit in ranges and defaults; empty where a bare number is clearer.
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

  /// The unit word that an unknown word probably means: one in another case, a name in full, or another abbreviation.
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
      // `grad` is German for degrees; hundredths of a right angle are rare.
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

  /// The unit for other programs, for which a gain is plain decibels and an amplitude a plain number.
  public var exported: Unit {
    switch self {
    case .gain: .decibels
    case .amplitude: .none
    default: self
    }
  }

  /// The words for silence where a gain is expected.
  public static let silence = ["-inf dB", "-inf", "off"]

  /// The number of a quantity in this unit; nil where the quantity's unit does not belong to it.
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

  /// Writes a number of this unit in another of its words, such as 0.3 s in `ms`. Nil where the word does not belong to
  /// this unit, or where no number of twelve digits gives exactly the same value; none is looked for below 1e-296.
  func text(_ number: Double, in word: String, fps: FrameRate, stage: Stage) -> String? {
    guard let one = Quantity("1 \(word)").flatMap({ value(of: $0, fps: fps, stage: stage) }), one > 0 else {
      return nil
    }
    let quotient = number / one
    // The power of ten that makes twelve digits of the quotient a whole number, which is rounded.
    let scale = quotient == 0 ? 1 : pow(10, 11 - log10(abs(quotient)).rounded(.down))
    let text = "\(shortest((quotient * scale).rounded() / scale)) \(word)"
    return Quantity(text).flatMap { value(of: $0, fps: fps, stage: stage) } == number ? text : nil
  }
}
