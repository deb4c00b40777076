#if canImport(Glibc)
  import Glibc
#else
  // A page has no C library: CWasm has these functions, so exact that results rounded to a float are the same.

  @_extern(c, "pow") func pow(_ base: Double, _ exponent: Double) -> Double
  @_extern(c, "exp") func exp(_ x: Double) -> Double
  @_extern(c, "log10") func log10(_ x: Double) -> Double
#endif

/// Maps a level to a number: t = (level − from₀) / (from₁ − from₀), then t^curve, then to₀ + (to₁ − to₀)·t.
public struct DriveMap: Sendable {
  /// The levels that map to the ends of `to`.
  public let from: (Double, Double)
  /// The numbers at the ends of `from`.
  public let to: (Double, Double)
  /// The exponent of the curve.
  public let curve: Double
  /// Whether levels outside `from` are clamped to its ends.
  public let clamp: Bool
  /// The number's legal range, to which results are clamped.
  public let range: ClosedRange<Double>
  /// The number while nothing plays.
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

  /// The number for a level. Computed in double precision and rounded once; a level that is not a number counts as
  /// from₀. [frame]
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
