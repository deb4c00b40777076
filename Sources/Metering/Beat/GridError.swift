#if canImport(Glibc)
  import Glibc
#endif

/// The position and tempo errors of a beat grid, from a weighted least-squares line through the distances of accents
/// from their nearest beats. [any]
///
/// Accents farther than a fifth of a beat from a beat are ignored: they are off-beats.
struct GridError: Sendable {
  /// The greatest distance of an accent from its beat, in beats.
  private static let reach = 0.2
  /// The time in which the weight of an accent falls by a factor e, in seconds.
  private static let memory = 2.0
  /// The delay from an onset to the maximum of its change, in seconds.
  private static let latency = 0.012

  /// The beats by which the grid is ahead of the accents now.
  let lead: Double
  /// The tempo error: the beats a second by which the grid falls behind the accents.
  let drift: Double

  /// Fits the line to accents `step` seconds apart, the newest last. `beats` is the count of the grid at the newest
  /// accent, and `rate` its tempo in beats a second. nil if the accents are too few or too close together for a line.
  init?(of accents: [Float], beats: Double, rate: Double, step: Double) {
    var (sum, ages, distances, squares, products) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for i in accents.indices {
      let age = Double(accents.count - i) * step + Self.latency - step / 2
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
