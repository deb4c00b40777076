#if canImport(Glibc)
  import Glibc
#endif

/// Measures how much the harmony of a beat differs from that of the beats before, by the levels of semitones. Chords
/// and basses change at downbeats more often than at other beats. [one]
struct BeatHarmony: Sendable {
  /// The beats in which the mean distance forgets by a factor e; and the upper limit of a distance, as a multiple of
  /// that mean.
  private static let meanBeats: Float = 16
  private static let maximum: Float = 3

  /// The sum of the levels during this beat, and the mean levels of the last beat and of the one before it.
  private var sum: [Float] = []
  private var last: [Float] = []
  private var beforeLast: [Float] = []
  private var count: Float = 0
  /// The cosine distance of the last beat from the one before it.
  private var lastChange: Float = 0
  private var mean: Float = 0
  private var beats: Float = 0

  /// Takes the levels of a window within the current beat.
  mutating func take(_ levels: [Float]) {
    if sum.count != levels.count {
      sum = Array(repeating: 0, count: levels.count)
      (last, beforeLast) = (sum, sum)
    }
    sum.withUnsafeMutableBufferPointer { sum in
      for index in sum.indices { sum[index] += levels[index] }
    }
    count += 1
  }

  /// Ends a beat. Returns three cosine distances: from this beat to the last one, from this beat to the one before
  /// that, and between those two. They are multiples of the recent mean distance, 0…3; 0 where a beat has no levels.
  mutating func end() -> SIMD3<Float> {
    guard !sum.isEmpty else { return .zero }
    if count > 0 { for index in sum.indices { sum[index] /= count } }
    let (change, second) = (distance(sum, last), distance(sum, beforeLast))
    let changes = SIMD3(change, second, lastChange)
    lastChange = change
    swap(&beforeLast, &last)
    swap(&last, &sum)
    for index in sum.indices { sum[index] = 0 }
    count = 0
    beats += 1
    mean += max(1 - Float(exp(-1 / Double(Self.meanBeats))), 1 / beats) * ((change + second) / 2 - mean)
    return pointwiseMin(changes / (mean + 0.001), SIMD3(repeating: Self.maximum))
  }

  /// Returns the cosine distance of the levels of two beats, 0…1; 0 if one of them is silent.
  private func distance(_ one: [Float], _ other: [Float]) -> Float {
    var (product, ones, others): (Float, Float, Float) = (0, 0, 0)
    for index in one.indices {
      product += one[index] * other[index]
      ones += one[index] * one[index]
      others += other[index] * other[index]
    }
    let length = (ones * others).squareRoot()
    return length > 0 ? max(0, 1 - product / length) : 0
  }
}
