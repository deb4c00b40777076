import CParticles

extension Population {
  /// Moves all by one frame and takes out those whose time is over. [scene]
  func move(_ frame: Frame, _ cell: Cell) {
    let seconds = frame.seconds(cell)
    if frames == 256 { setBack() }
    frames += 1
    clock += seconds
    growths.scale.grow(cell.scaleSpeed.tamed * frame.layer.scale.tamed(0...1e9), seconds)
    growths.red.grow(cell.redSpeed, seconds)
    growths.green.grow(cell.greenSpeed, seconds)
    growths.blue.grow(cell.blueSpeed, seconds)
    growths.alpha.grow(cell.alphaSpeed, seconds)
    guard count > 0 else {
      deep = false
      return
    }
    if cell.zAcceleration != 0 { deep = true }
    // A thousandth of a frame early, so that rounding gives nobody a frame more than its life has.
    var motion = vg_motion(
      seconds: Float(seconds), ax: cell.xAcceleration.float, ay: cell.yAcceleration.float,
      az: cell.zAcceleration.float, now: Float(clock + seconds / 1024), deep: deep ? 1 : 0)
    remove(vg_move(&all, &motion, rows))
  }

  /// Takes out the rows that `rows` lists.
  func remove(_ gone: UInt32) {
    guard gone > 0 else { return }
    vg_remove(&all, columns, rows, gone)
    all.count -= Int(gone)
  }

  /// Lets the clock and the growths begin anew, every 256 frames: so floats stay exact for weeks.
  private func setBack() {
    frames = 0
    let passed = Float(clock)
    clock -= Double(passed)
    var grown = vg_nature()
    grown.scale = growths.scale.setBack()
    grown.red = growths.red.setBack()
    grown.green = growths.green.setBack()
    grown.blue = growths.blue.setBack()
    grown.alpha = growths.alpha.setBack()
    vg_set_back(&all, passed, &grown)
  }
}

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
