#if canImport(Glibc)
  import Glibc
#else
  // In a page there is no C library: CWasm has these three, exact enough that what is rounded to a float is the same.

  @_extern(c, "pow") func pow(_ base: Double, _ exponent: Double) -> Double
  @_extern(c, "exp") func exp(_ x: Double) -> Double
  @_extern(c, "log10") func log10(_ x: Double) -> Double
#endif

/// How a level becomes a number: t = (level − from₀) / (from₁ − from₀), then t^curve, then to₀ + (to₁ − to₀)·t.
public struct DriveMap: Sendable {
  /// The levels that lead to the ends of `to`.
  public let from: (Double, Double)
  /// What the number becomes there.
  public let to: (Double, Double)
  /// The exponent.
  public let curve: Double
  /// Whether levels outside of `from` stay at the ends of `to`.
  public let clamp: Bool
  /// The number's legal range.
  public let range: ClosedRange<Double>
  /// The number while nothing plays.
  public let idle: Float

  /// Makes a map; the ends of `from` differ.
  public init(
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
  public func value(_ level: Float) -> Float {
    let x = level.isNaN ? from.0 : Double(level)
    var t = (x - from.0) / (from.1 - from.0)
    if clamp { t = max(0, min(1, t)) }
    if curve != 1 { t = t < 0 ? -pow(-t, curve) : pow(t, curve) }
    // At 1 the sum may miss the upper end by a rounding.
    let value = t == 1 ? to.1 : to.0 + (to.1 - to.0) * t
    return Float(max(range.lowerBound, min(range.upperBound, value)))
  }
}
