import CParticles

/// Sums the change (speed × seconds) of a value that all particles of a pool share, since the pool's clock was last
/// rebased.
///
/// Every particle stores its value less the sum at its birth, so a frame costs one addition for the whole pool. The
/// sum is a `Double`, because it would lose precision as a `Float`.
struct DriftAccumulator {
  var sum = 0.0
  /// Per second, within ±10⁹.
  var speed = 0.0

  var roundedSum: Float { Float(sum) }
  var kernel: vg_drift { vg_drift(sum: Float(sum), speed: Float(speed)) }

  /// Adds `seconds` at a speed, which is clamped.
  mutating func advance(speed: Double, seconds: Double) {
    self.speed = speed.clamped
    sum += self.speed * seconds
  }

  /// Moves the sum, rounded to a `Float`, out of the accumulator: returns it, to be added to every particle, and keeps
  /// the rounding error.
  mutating func rebase() -> Float {
    let rounded = Float(sum)
    sum -= Double(rounded)
    return rounded
  }
}
