import CParticles

/// What a value of a whole population has grown by since its clock was set back: the running sum of speed × time.
///
/// Every particle keeps its value less the sum at its birth, so a frame costs one addition for all. The sum is in double.
struct Growth {
  private(set) var sum = 0.0
  private(set) var speed = 0.0

  var float: Float { Float(sum) }
  var kernel: vg_growth { vg_growth(sum: Float(sum), speed: Float(speed)) }

  mutating func grow(_ speed: Double, _ seconds: Double) {
    self.speed = speed.tamed
    sum += self.speed * seconds
  }

  /// Begins anew; returns what the particles are to be given.
  mutating func setBack() -> Float {
    let whole = Float(sum)
    sum -= Double(whole)
    return whole
  }
}
