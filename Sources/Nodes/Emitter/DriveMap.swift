import Graphs

#if canImport(Glibc)
  import Glibc
#endif

/// How a level becomes a number: t = (level − from₀) / (from₁ − from₀), then t^curve, then to₀ + (to₁ − to₀)·t.
struct DriveMap: Sendable {
  private let from: (Double, Double)
  private let to: (Double, Double)
  private let curve: Double
  private let clamp: Bool
  private let range: ClosedRange<Double>
  /// The number while nothing plays.
  let idle: Float

  init(
    from: (Double, Double), to: (Double, Double), curve: Double, clamp: Bool, idle: Double,
    range: ClosedRange<Double>
  ) {
    self.from = from
    self.to = to
    self.curve = curve
    self.clamp = clamp
    self.range = range
    self.idle = Float(idle)
  }

  /// The number for a level: worked in double, rounded once; what is not a number counts as from₀. [frame]
  func value(_ level: Float) -> Float {
    let x = level.isNaN ? from.0 : Double(level)
    var t = (x - from.0) / (from.1 - from.0)
    if clamp { t = max(0, min(1, t)) }
    if curve != 1 { t = t < 0 ? -pow(-t, curve) : pow(t, curve) }
    // At 1 the sum may miss the upper end by a rounding.
    let value = t == 1 ? to.1 : to.0 + (to.1 - to.0) * t
    return Float(max(range.lowerBound, min(range.upperBound, value)))
  }
}
