#if canImport(Glibc)
  import Glibc
#endif

/// Apple's MeterTable of the sample avTouch: dBFS to 0…1, by a table of roots of amplitudes, exact to the bit.
///
/// With the defaults the curve is the square root of the amplitude, scaled so that `minimum` gives 0. Entries are
/// `-minimum / (size - 1)` decibels apart, and there is no interpolation between them.
public struct MeterTable: Sendable {
  /// The level in dBFS that gives 0; below 0.
  public let minimum: Float
  /// The number of entries, at least 2.
  public let size: Int
  /// The degree of the root, above 0; 2 is the square root.
  public let root: Float
  private let scale: Float
  private let entries: [Float]

  /// Makes a table. Nil when `minimum` is not below 0, `size` is below 2, or `root` is not above 0. For such a minimum
  /// the original has no table and reads through a null pointer.
  public init?(minimum: Float = -80, size: Int = 400, root: Float = 2) {
    guard minimum < 0, minimum.isFinite, size >= 2, root > 0, root.isFinite else { return nil }
    self.minimum = minimum
    self.size = size
    self.root = root
    // The rounding is the original's: `resolution` and `scale` are floats, i × resolution is a product of floats,
    // amplitudes and powers are doubles. The public Swift port multiplies in double and differs in half of its
    // entries.
    let resolution = minimum / Float(size - 1)
    scale = Float(1 / Double(resolution))
    let least = pow(10, 0.05 * Double(minimum))
    let range = 1 / (1 - least)
    let exponent = 1 / Double(root)
    entries = (0..<size).map { i in
      let decibels = Float(i) * resolution
      let amplitude = pow(10, 0.05 * Double(decibels))
      // Rounding may put the last product below the minimum, and a negative number has no real root.
      let adjusted = max(0, (amplitude - least) * range)
      return Float(pow(adjusted, exponent))
    }
  }

  /// The value, 0…1, for a level in dBFS; 0 for a level that is not a number.
  public func value(_ decibels: Float) -> Float {
    if decibels.isNaN || decibels < minimum { return 0 }
    if decibels >= 0 { return 1 }
    // Compared before the conversion: for a `minimum` near 0 the product exceeds every Int.
    let place = decibels * scale
    return entries[place < Float(size - 1) ? Int(place) : size - 1]
  }
}
