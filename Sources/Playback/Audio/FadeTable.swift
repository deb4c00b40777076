/// The ramp along which sound begins and ends: 3t² − 2t³, which has no corner that could click. [audio]
///
/// Two ramps that cross add up to exactly 1, so the same sound crossing itself is not changed.
struct FadeTable: BitwiseCopyable {
  /// Samples of the whole ramp.
  let length: Int
  /// `length` + 1 factors from 0 to 1.
  private let factors: UnsafeMutablePointer<Float>

  /// Computes it; `free` gives it back. [control]
  init(length: Int) {
    self.length = length
    factors = .allocate(capacity: length + 1)
    for i in 0...length {
      let t = Double(i) / Double(length)
      (factors + i).initialize(to: 2 * i <= length ? Float(t * t * (3 - 2 * t)) : 1 - factors[length - i])
    }
  }

  /// Gives its memory back. [any]
  func free() { factors.deallocate() }

  /// Multiplies samples by the factors from `phase` on, upwards (`step` 1) or downwards (-1).
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
