#if canImport(Glibc)
  import Glibc
#endif

/// Apple's MeterTable, as avTouch has it: dBFS to 0…1 by a table of amplitudes under a root, exact to the bit.
///
/// With the defaults the curve is the square root of the amplitude, rescaled so that the minimum reads 0. Steps are
/// `-minimum / (size - 1)` decibels wide and are not interpolated.
public struct MeterTable: Sendable {
  /// What reads 0, in dB; below 0.
  public let minimum: Float
  /// Entries, at least 2.
  public let size: Int
  /// The root under the curve, above 0.
  public let root: Float
  private let scale: Float
  private let entries: [Float]

  /// Makes a table; nil when `minimum` is not below 0 (the original then has no table and reads through nothing),
  /// `size` is below 2 or `root` is not above 0.
  public init?(minimum: Float = -80, size: Int = 400, root: Float = 2) {
    guard minimum < 0, minimum.isFinite, size >= 2, root > 0, root.isFinite else { return nil }
    self.minimum = minimum
    self.size = size
    self.root = root
    // The roundings are the original's: resolution and scale kept in float, i × resolution a product of floats,
    // amplitudes and powers in double. The public Swift port multiplies in double and differs in half its entries.
    let resolution = minimum / Float(size - 1)
    scale = Float(1 / Double(resolution))
    let least = pow(10, 0.05 * Double(minimum))
    let range = 1 / (1 - least)
    let exponent = 1 / Double(root)
    entries = (0..<size).map { i in
      let decibels = Float(i) * resolution
      let amplitude = pow(10, 0.05 * Double(decibels))
      // For some sets the last product lies a hair below the minimum: the root of a negative number is not one.
      let adjusted = max(0, (amplitude - least) * range)
      return Float(pow(adjusted, exponent))
    }
  }

  /// 0…1 for a level in dBFS. What is not a number reads 0.
  public func value(_ decibels: Float) -> Float {
    if decibels.isNaN || decibels < minimum { return 0 }
    if decibels >= 0 { return 1 }
    // Compared before it is converted: for a tiny minimum the product is beyond any whole number.
    let place = decibels * scale
    return entries[place < Float(size - 1) ? Int(place) : size - 1]
  }
}
