import CParticles

/// How much a value of all particles of a pool has changed since the pool's clock was last rebased: the sum of speed
/// × seconds.
///
/// Every particle stores its value less the sum at its birth, so a frame costs one addition for the whole pool. The
/// sum is a `Double`, because it would lose precision as a `Float`.
struct DriftAccumulator {
  var sum = 0.0
  var speed = 0.0

  var float: Float { Float(sum) }
  var kernel: vg_drift { vg_drift(sum: Float(sum), speed: Float(speed)) }

  mutating func grow(_ speed: Double, _ seconds: Double) {
    self.speed = speed.clamped
    sum += self.speed * seconds
  }

  /// Sets the sum back to the rest that a `Float` cannot hold, and returns what is to be added to every particle.
  mutating func rebase() -> Float {
    let whole = Float(sum)
    sum -= Double(whole)
    return whole
  }
}
