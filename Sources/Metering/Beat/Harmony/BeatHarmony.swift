#if canImport(Glibc)
  import Glibc
#endif

/// How much the harmony of a beat differs from that of the beats before, by the levels of semitones: chords and basses
/// change where bars begin more often than elsewhere. [one]
struct BeatHarmony: Sendable {
  /// Beats until the differences that others are compared with count for a third; and how much more than those one is at most.
  private static let usual: Float = 16
  private static let most: Float = 3

  /// The sum of the levels of this beat, and the means of the last two.
  private var sum: [Float] = []
  private var last: [Float] = []
  private var beforeLast: [Float] = []
  private var count: Float = 0
  /// The cosine distance of the last beat from the one before it.
  private var lastChange: Float = 0
  private var mean: Float = 0
  private var beats: Float = 0

  /// Takes levels that are heard in this beat.
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

  /// Ends a beat; gives how far it is from the last, how far from the one before that, and how far those are from each other,
  /// as shares of what such distances are of late, 0…3; 0 where nothing is known of one.
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
    mean += max(1 - Float(exp(-1 / Double(Self.usual))), 1 / beats) * ((change + second) / 2 - mean)
    return pointwiseMin(changes / (mean + 0.001), SIMD3(repeating: Self.most))
  }

  /// The cosine distance of two beats, 0…1; 0 where one of them is silent.
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
