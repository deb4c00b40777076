import Glibc

/// Maps a fader's position 0…1 to a number, and back. The unit and the range of the number determine the law.
public enum FaderLaw: String, Sendable, CaseIterable {
  /// A straight line from the bottom of the range to its top.
  case linear
  /// Equal distances are equal ratios. In a range that begins at 0, position 0 is 0 and the ratios begin at 1 (1 ms for
  /// seconds).
  case logarithmic
  /// The law of a mixing console: position 0 is silence; above it the decibels are interpolated linearly between
  /// `knots`.
  case console

  /// Positions of a console's fader and their levels in dB. Position 0 itself is silent.
  public static let knots: [(place: Double, decibels: Double)] = [
    (0, -90), (0.0625, -60), (0.25, -30), (0.5, -10), (0.75, 0), (1, 6),
  ]

  /// The note on the law in a setting's help; nil for a linear one.
  public var remark: String? {
    switch self {
    case .linear: nil
    case .logarithmic: "a fader is logarithmic"
    case .console: "a fader is a console's: 0 is silence, 0.75 is 0 dB, 1 is +6 dB"
    }
  }

  /// The law as a phrase for the docs.
  public var words: String {
    switch self {
    case .linear: "a straight line from the bottom of the range to its top"
    case .logarithmic:
      "equal ways are equal ratios, from the bottom of the range to its top; where the range begins at 0, the place 0 is "
        + "0, and the rest goes on from 1 Hz or 1 ms"
    case .console:
      "0 is silence, then straight lines in dB: "
        + Self.knots.map {
          "\(shortest($0.place)) \($0.place == 0 ? "and a little more " : "")is \(shortest($0.decibels)) dB"
        }
        .joined(separator: ", ") + ", as far as the range goes"
    }
  }

  /// The number at a position, clamped to the range.
  func value(at place: Double, in range: ClosedRange<Double>, _ unit: Unit) -> Double {
    let (bottom, top) = (range.lowerBound, range.upperBound)
    if place <= 0 { return bottom }
    switch self {
    case .linear: return place >= 1 ? top : max(bottom, min(top, bottom + place * (top - bottom)))
    case .logarithmic:
      let first = unit.firstStep(in: range)
      return place >= 1 ? top : max(first, min(top, first * pow(top / first, place)))
    case .console:
      let knots = Self.knots
      let end = knots.firstIndex { place <= $0.place } ?? knots.count - 1
      let (a, b) = (knots[max(0, end - 1)], knots[max(1, end)])
      let part = min(1, (place - a.place) / (b.place - a.place))
      return max(bottom, min(top, a.decibels + part * (b.decibels - a.decibels)))
    }
  }

  /// The number at a position, rounded to the digits that tell it from the number 0.001 further on. The ends are exact.
  func shown(at place: Double, in range: ClosedRange<Double>, _ unit: Unit) -> Double {
    let value = value(at: place, in: range, unit)
    let near = place < 0.999 ? place + 0.001 : place - 0.001
    let step = abs(self.value(at: near, in: range, unit) - value)
    guard place > 0, place < 1, step > 0 else { return value }
    // Scales by a positive power of ten and divides: the quotient is the double that its decimal text is parsed as.
    let power = log10(step).rounded(.down)
    let rounded =
      power < 0
      ? (value * pow(10, -power)).rounded() / pow(10, -power)
      : (value / pow(10, power)).rounded() * pow(10, power)
    return max(range.lowerBound, min(range.upperBound, rounded))
  }

  /// The position of a number, clamped to 0…1.
  func place(of value: Double, in range: ClosedRange<Double>, _ unit: Unit) -> Double {
    let (bottom, top) = (range.lowerBound, range.upperBound)
    if value <= bottom { return 0 }
    switch self {
    case .linear: return top > bottom ? min(1, (value - bottom) / (top - bottom)) : 0
    case .logarithmic:
      let first = unit.firstStep(in: range)
      return top > first ? max(0, min(1, log(value / first) / log(top / first))) : 0
    case .console:
      let knots = Self.knots
      let end = knots.firstIndex { value <= $0.decibels } ?? knots.count - 1
      let (a, b) = (knots[max(0, end - 1)], knots[max(1, end)])
      return a.place + max(0, min(1, (value - a.decibels) / (b.decibels - a.decibels))) * (b.place - a.place)
    }
  }
}

extension Unit {
  /// The lower end of the logarithmic part: the bottom of the range, or 1 (0.001 s) in a range that begins at 0.
  fileprivate func firstStep(in range: ClosedRange<Double>) -> Double {
    guard range.lowerBound <= 0 else { return range.lowerBound }
    return min(range.upperBound, self == .seconds ? 0.001 : 1)
  }
}

extension ValueKind {
  /// The law of a fader for this kind; nil for a kind without numbers and for a range without finite ends.
  public var faderLaw: FaderLaw? {
    switch self {
    case .number(let unit, let range, _):
      guard range.lowerBound > -1e15, range.upperBound < 1e15 else { return nil }
      switch unit {
      case .gain: return .console
      case .hertz, .seconds: return range.lowerBound >= 0 ? .logarithmic : .linear
      default: return .linear
      }
    case .oneOf(let kinds):
      // A fader sets the first kind that it can set, which need not be a number.
      return kinds.first { $0.value(atFader: 0) != nil }?.faderLaw
    default: return nil
    }
  }

  /// The value at a fader's position 0…1; nil where no fader can set this kind.
  ///
  /// Numbers follow `faderLaw`, with as many digits as a fader resolves. A flag is true from 0.5 on. The words of a
  /// choice have equal parts of the way.
  public func value(atFader place: Float) -> SettingValue? {
    guard place >= 0, place <= 1 else { return nil }
    switch self {
    case .flag: return .flag(place >= 0.5)
    case .choice(let choices):
      // A choice of one word leaves nothing to set.
      guard choices.count > 1 else { return nil }
      return .written(choices[min(choices.count - 1, Int(place * Float(choices.count)))].word)
    case .number(let unit, let range, let whole):
      guard let law = faderLaw else { return nil }
      // Through its shortest form: the top of a fader that says 0.7 is 0.7 and not 0.699999988.
      let place = place.asWritten
      return .number(
        whole ? law.value(at: place, in: range, unit).rounded() : law.shown(at: place, in: range, unit))
    case .oneOf(let kinds): return kinds.lazy.compactMap { $0.value(atFader: place) }.first
    default: return nil
    }
  }

  /// The position 0…1 of a fader for a value; nil where no fader can set this kind, or cannot set this value (`none`).
  ///
  /// A flag is at an end, a word in the middle of its part of the way.
  public func faderPlace(of value: SettingValue) -> Float? {
    switch (self, value) {
    case (.number(let unit, let range, _), .number(let number)):
      return faderLaw.map { Float($0.place(of: number, in: range, unit)) }
    case (.flag, .flag(let isOn)): return isOn ? 1 : 0
    case (.oneOf(let kinds), _):
      return kinds.first { $0.value(atFader: 0) != nil }?.faderPlace(of: value)
    default: return faderPlace(ofWritten: value.text)
    }
  }

  private func faderPlace(ofWritten text: String) -> Float? {
    switch self {
    case .flag:
      return ["true", "yes", "on"].contains(text) ? 1 : ["false", "no", "off"].contains(text) ? 0 : nil
    case .choice(let choices):
      guard choices.count > 1,
        let index = choices.firstIndex(where: { $0.word == text || $0.aliases.contains(text) })
      else { return nil }
      return (Float(index) + 0.5) / Float(choices.count)
    case .number(let unit, let range, _):
      guard let law = faderLaw else { return nil }
      if unit == .gain, Unit.silence.contains(text) { return 0 }
      guard
        let number = Quantity(text).flatMap({ $0.unit.isEmpty || $0.unit == unit.symbol ? $0.number : nil })
      else { return nil }
      return Float(law.place(of: number, in: range, unit))
    default: return nil
    }
  }
}
