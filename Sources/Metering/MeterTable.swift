#if canImport(Glibc)
  import Glibc
#endif

/// The MeterTable of Apple's sample avTouch: maps dBFS to 0…1 by a table of roots of amplitudes. The results equal
/// those of the original to the bit.
///
/// With the default root the curve is the square root of the amplitude, scaled so that `minimum` gives 0. Entries are
/// `-minimum / (size - 1)` decibels apart, without interpolation between them.
public struct MeterTable: Sendable {
  /// The level in dBFS that gives 0; below 0.
  public let minimum: Float
  /// The number of entries, at least 2.
  public let size: Int
  /// The degree of the root, above 0; 2 is the square root.
  public let root: Float
  /// The entries per decibel, below 0: times a level it gives an index.
  private let scale: Float
  private let entries: [Float]

  /// Makes a table. Nil if `minimum` is not below 0, `size` is below 2, or `root` is not above 0. With a minimum of 0
  /// or more, the original makes no table and reads through a null pointer.
  public init?(minimum: Float = -80, size: Int = 400, root: Float = 2) {
    guard minimum < 0, minimum.isFinite, size >= 2, root > 0, root.isFinite else { return nil }
    self.minimum = minimum
    self.size = size
    self.root = root
    // The types are those of the original, so that the rounding is the same: `resolution`, `scale` and i × resolution
    // are floats, amplitudes and powers are doubles. The public Swift port multiplies doubles, and half of its entries
    // differ.
    let resolution = minimum / Float(size - 1)
    scale = Float(1 / Double(resolution))
    let least = pow(10, 0.05 * Double(minimum))
    let range = 1 / (1 - least)
    let exponent = 1 / Double(root)
    entries = (0..<size).map { i in
      let decibels = Float(i) * resolution
      let amplitude = pow(10, 0.05 * Double(decibels))
      // Rounding may put the last product below `minimum`; a negative number has no real root.
      let adjusted = max(0, (amplitude - least) * range)
      return Float(pow(adjusted, exponent))
    }
  }

  /// The value, 0…1, for a level in dBFS; 0 for NaN.
  public func value(_ decibels: Float) -> Float {
    if decibels.isNaN || decibels < minimum { return 0 }
    if decibels >= 0 { return 1 }
    // Compared before the conversion, because for a `minimum` near 0 the product exceeds the range of Int.
    let place = decibels * scale
    return entries[place < Float(size - 1) ? Int(place) : size - 1]
  }
}
