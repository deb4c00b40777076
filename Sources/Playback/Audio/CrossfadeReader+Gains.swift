import Realtime
import Synchronization

/// Volume and balance. [audio]
extension CrossfadeReader {
  /// Whether nothing is audible now.
  var isSilent: Bool {
    @_noLocks get { gate == 0 || (current < 0 || isOver || rise == 0) && outgoing < 0 }
  }

  /// Starts fades to the volume and balance that are set; a short fade that is running ends first.
  @_noLocks
  mutating func takeGains() {
    let samples = UInt32(truncatingIfNeeded: fade.length)
    let volumeNow = commands == nil ? shared.pointee.volume.load(ordering: .acquiring) : gated.volume
    let before =
      commands == nil ? shared.pointee.volumeBefore.load(ordering: .relaxed) : gated.volumeBefore
    if before != lastVolumeBefore && !volume.isBusy {
      let step = Float(bitPattern: UInt32(truncatingIfNeeded: before >> 32))
      let length = VolumeWord.samples(volumeNow)
      if length > samples && before & 1 == 1 && step != volume.goal {
        // This volume was set at once, in the same cycle as the fade that begins at it. At 300 kHz and more it takes as
        // many samples as a linear fade, and has to be reached all the same.
        volume.go(to: step, in: samples, endsFirst: true)
        if isSilent { volume.arrive() }
      }
      if !volume.isBusy {
        lastVolumeBefore = before
        volume.go(
          to: Float(bitPattern: UInt32(truncatingIfNeeded: volumeNow >> 32)), in: length,
          isEven: volumeNow & VolumeWord.straight == 0)
      }
    }
    let balanceNow = commands == nil ? shared.pointee.balance.load(ordering: .acquiring) : gated.balance
    if balanceNow != lastBalance && !left.isBusy && !right.isBusy {
      lastBalance = balanceNow
      let length =
        commands == nil ? shared.pointee.balanceSamples.load(ordering: .relaxed) : gated.balanceSamples
      let way = max(samples, UInt32(truncatingIfNeeded: length))
      left.go(to: Float(bitPattern: UInt32(truncatingIfNeeded: balanceNow >> 32)), in: way)
      right.go(to: Float(bitPattern: UInt32(truncatingIfNeeded: balanceNow)), in: way)
    }
    if isSilent { rest(0) }
  }

  /// Samples until the next gain is constant; `Int.max` if all are.
  var nextGain: Int {
    @_noLocks get {
      var count = Int.max
      if volume.left > 0 { count = volume.left }
      if left.left > 0 { count = min(count, left.left) }
      if right.left > 0 { count = min(count, right.left) }
      return count
    }
  }

  /// Advances gains in silence: short fades end at once, long ones take their time.
  @_noLocks
  mutating func rest(_ count: Int) {
    volume.rest(count)
    left.rest(count)
    right.rest(count)
  }
}
