#if canImport(Glibc)
  import Glibc
#else
  // A page has no C library. These functions are in CWasm, and so exact that a result rounded to a float is the same.

  @_extern(c, "pow") func pow(_ base: Double, _ exponent: Double) -> Double
  @_extern(c, "exp") func exp(_ x: Double) -> Double
  @_extern(c, "log10") func log10(_ x: Double) -> Double
#endif

/// Maps a level to a number: t = (level − from₀) / (from₁ − from₀), u = t^curve (−(−t)^curve below 0), and the number
/// is to₀ + (to₁ − to₀) · u.
public struct DriveMap: Sendable {
  /// The two levels that map to the two numbers `to`.
  public let from: (Double, Double)
  /// The two numbers to which the levels `from` map.
  public let to: (Double, Double)
  /// The exponent of the curve, above 0.
  public let curve: Double
  /// Whether t is clamped to 0…1.
  public let clamp: Bool
  /// The number's legal range, to which results are clamped.
  public let range: ClosedRange<Double>
  /// The number while the source of the level is idle.
  public let idle: Float

  /// Makes a map. The ends of `from` must differ.
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

  /// The number for a level. It is computed in double precision and rounded once. A level of NaN counts as from₀,
  /// and an infinite one gives an end of `to`, or of the range where t is not clamped. [frame]
  public func value(_ level: Float) -> Float {
    let x = level.isNaN ? from.0 : Double(level)
    var t = (x - from.0) / (from.1 - from.0)
    if clamp { t = max(0, min(1, t)) }
    if curve != 1 { t = t < 0 ? -pow(-t, curve) : pow(t, curve) }
    // At t = 1 the sum may miss to₁ by a rounding error.
    let value = t == 1 ? to.1 : to.0 + (to.1 - to.0) * t
    return Float(max(range.lowerBound, min(range.upperBound, value)))
  }
}
