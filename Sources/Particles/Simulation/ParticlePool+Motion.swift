import CParticles

extension ParticlePool {
  /// Moves all particles by one frame, and removes those that are over. [scene]
  func move(_ frame: StepContext, _ cell: Cell) {
    let seconds = frame.seconds(cell)
    if frames == 256 { rebase() }
    frames += 1
    clock += seconds
    // Growth over a particle's life is computed for each particle, not accumulated for the pool.
    let pace: Double = frame.layer.growth == .perSecond ? 1 : 0
    drifts.scale.advance(
      speed: pace * cell.scaleSpeed.clamped * frame.layer.scale.clamped(0...1e9), seconds: seconds)
    drifts.red.advance(speed: pace * cell.redSpeed, seconds: seconds)
    drifts.green.advance(speed: pace * cell.greenSpeed, seconds: seconds)
    drifts.blue.advance(speed: pace * cell.blueSpeed, seconds: seconds)
    drifts.alpha.advance(speed: pace * cell.alphaSpeed, seconds: seconds)
    guard count > 0 else {
      hasDepth = false
      return
    }
    if cell.zAcceleration != 0 { hasDepth = true }
    // Particles end up to a thousandth of a frame early, so that no rounding error lets one live a frame longer.
    var motion = vg_motion(
      seconds: Float(seconds), ax: cell.xAcceleration.float, ay: cell.yAcceleration.float,
      az: cell.zAcceleration.float, now: Float(clock + seconds / 1024), deep: hasDepth ? 1 : 0)
    remove(vg_move(&all, &motion, rows))
  }

  /// Removes the particles of the first `gone` rows in `rows`.
  func remove(_ gone: UInt32) {
    guard gone > 0 else { return }
    vg_remove(&all, columns, rows, gone)
    all.count -= Int(gone)
  }

  /// Moves clock and drifts into the particles, and begins both near 0 again. Done every 256 frames, so that floats
  /// stay precise in a show of weeks.
  private func rebase() {
    frames = 0
    let passed = Float(clock)
    clock -= Double(passed)
    var grown = vg_attributes()
    grown.scale = drifts.scale.rebase()
    grown.red = drifts.red.rebase()
    grown.green = drifts.green.rebase()
    grown.blue = drifts.blue.rebase()
    grown.alpha = drifts.alpha.rebase()
    vg_rebase_clock(&all, passed, &grown)
  }
}
