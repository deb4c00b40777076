/// A fade curve, 3t² − 2t³ (smoothstep), whose slope has no steps that could click. [audio]
///
/// The gains of a crossfade add up to exactly 1, so a sound that crossfades into itself is unchanged.
struct FadeTable: BitwiseCopyable {
  /// Length of the fade in samples.
  let length: Int
  /// `length` + 1 factors from 0 to 1.
  private let factors: UnsafeMutablePointer<Float>

  /// Allocates and computes the table, which `free` frees. [control]
  init(length: Int) {
    self.length = length
    factors = .allocate(capacity: length + 1)
    for i in 0...length {
      let t = Double(i) / Double(length)
      (factors + i).initialize(to: 2 * i <= length ? Float(t * t * (3 - 2 * t)) : 1 - factors[length - i])
    }
  }

  /// Frees the table. [any]
  func free() { factors.deallocate() }

  /// Multiplies samples by the factors from `phase` on, upwards (`step` 1) or downwards (−1).
  @_noLocks
  func apply(to samples: UnsafeMutablePointer<Float>, _ count: Int, from phase: Int, step: Int) {
    if step == 0 && phase == length { return }
    var i = 0
    var k = phase
    while i < count {
      samples[i] = samples[i] * factors[k]
      i &+= 1
      k &+= step
    }
  }

  /// Adds samples, multiplied by the factors from `phase` on downwards.
  @_noLocks
  func addFalling(
    _ samples: UnsafePointer<Float>, to sum: UnsafeMutablePointer<Float>, _ count: Int, from phase: Int
  ) {
    var i = 0
    var k = phase
    while i < count {
      sum[i] = sum[i] + samples[i] * factors[k]
      i &+= 1
      k &-= 1
    }
  }
}
