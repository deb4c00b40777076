import CParticles

/// What a value of a whole pool has grown by since its clock was set back: the running sum of speed × time.
///
/// Every particle keeps its value less the sum at its birth, so a frame costs one addition for all. The sum is in double.
struct DriftAccumulator {
  var sum = 0.0
  var speed = 0.0

  var float: Float { Float(sum) }
  var kernel: vg_drift { vg_drift(sum: Float(sum), speed: Float(speed)) }

  mutating func grow(_ speed: Double, _ seconds: Double) {
    self.speed = speed.clamped
    sum += self.speed * seconds
  }

  /// Begins anew; returns what the particles are to be given.
  mutating func rebase() -> Float {
    let whole = Float(sum)
    sum -= Double(whole)
    return whole
  }
}
