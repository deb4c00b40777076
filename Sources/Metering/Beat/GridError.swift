#if canImport(Glibc)
  import Glibc
#endif

/// How far a grid of beats is from the accents near its beats, as a line through their distances says. [any]
///
/// What lies further off than a fifth of a beat does not count: it is no beat of this grid.
struct GridError: Sendable {
  /// How far off an accent may be, in beats.
  private static let reach = 0.2
  /// The seconds in which an accent comes to count e times less.
  private static let memory = 2.0
  /// How much later than a sound its change is highest, in seconds.
  private static let lateness = 0.012

  /// How many beats the grid is ahead of the accents now.
  let lead: Double
  /// By how many beats a second it falls behind.
  let drift: Double

  /// Looks at accents `step` seconds apart, the newest last, which comes where the grid has counted so many beats; `rate` is
  /// in beats a second. nil where there are too few accents for a line.
  init?(of accents: [Float], beats: Double, rate: Double, step: Double) {
    var (sum, ages, distances, squares, products) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for i in accents.indices {
      let age = Double(accents.count - i) * step + Self.lateness - step / 2
      let beat = beats - age * rate
      let distance = beat - beat.rounded()
      guard abs(distance) < Self.reach else { continue }
      let window = 0.5 + 0.5 * cos(.pi * distance / Self.reach)
      let weight = Double(accents[i]) * exp(-age / Self.memory) * window
      sum += weight
      ages += weight * age
      distances += weight * distance
      squares += weight * age * age
      products += weight * age * distance
    }
    guard sum > 1e-6 else { return nil }
    let (age, distance) = (ages / sum, distances / sum)
    let spread = squares / sum - age * age
    guard spread > 0.05 else { return nil }
    drift = (products / sum - age * distance) / spread
    lead = distance - drift * age
  }
}
