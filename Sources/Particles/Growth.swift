import CParticles

/// What a value of a whole population has grown by since its clock was set back: the running sum of speed × time.
///
/// Every particle keeps its value less the sum at its birth, so a frame costs one addition for all. The sum is in double.
struct Growth {
  let column: UInt32
  private(set) var sum = 0.0
  private(set) var speed = 0.0

  init(_ column: UInt32) { self.column = column }

  var float: Float { Float(sum) }
  var kernel: vg_growth { vg_growth(sum: Float(sum), speed: Float(speed)) }

  mutating func grow(_ speed: Double, _ seconds: Double) {
    self.speed = speed.tamed
    sum += self.speed * seconds
  }

  /// Moves what it has grown by into the particles.
  mutating func setBack(_ all: inout vg_particles) {
    let whole = Float(sum)
    guard whole != 0 else { return }
    vg_subtract(&all, column, -whole)
    sum -= Double(whole)
  }
}
