/// Counts flashes as WCAG 2.2 defines them: pairs of opposing changes of relative luminance by at least a tenth of its
/// maximum.
public enum FlashCount {
  /// The largest number of flashes in any second of `light`, 0…1, given as `rate` values a second.
  public static func most(_ light: [Float], rate: Double, step: Float = 0.1) -> Int {
    var changes: [(time: Double, isRise: Bool)] = []
    var (low, high) = (light.first ?? 0, light.first ?? 0)
    for (place, value) in light.enumerated() {
      (low, high) = (min(low, value), max(high, value))
      let isRise = value - low >= step
      guard isRise || high - value >= step else { continue }
      if changes.last?.isRise != isRise { changes.append((Double(place) / rate, isRise)) }
      (low, high) = (value, value)
    }
    return changes.indices.map { first in
      changes[first...].prefix { $0.time - changes[first].time < 1 - 1e-6 }.count / 2
    }.max() ?? 0
  }
}
