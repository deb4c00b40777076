#if canImport(Glibc)
  import Glibc
#endif

/// The ballistics of a meter: rise, hold and fall, all in seconds, so that the result does not depend on cycles or
/// frames.
///
/// - Rise: `L ← T − (T − L) · e^(−Δt / attack)` on amplitudes, so 63 % of the way is done after `attack` seconds. An
///   attack of 0 rises at once.
/// - Hold: after a rise the level stays for `hold` seconds.
/// - Fall: by `fall` decibels a second down to the target, exact for any Δt.
public struct Ballistics: Sendable {
  /// The parameters of the movement.
  public struct Manner: Equatable, Sendable {
    /// The time constant of a rise on amplitudes, in seconds: 63 % of the way.
    public var attack: Double
    /// The time from the end of a rise to the fall, in seconds.
    public var hold: Double
    /// The speed of the fall in decibels a second; infinity falls at once.
    public var fall: Double

    /// Makes the parameters.
    public init(attack: Double, hold: Double, fall: Double) {
      self.attack = attack
      self.hold = hold
      self.fall = fall
    }
  }

  /// The reading in dBFS, in double precision.
  private var level = Double(Decibels.floor)
  /// The rest of the current hold, and its full length, both in seconds.
  private var (holdLeft, hold) = (0.0, 0.0)

  /// A meter at the floor.
  public init() {}

  /// Moves on by `seconds` towards `target` in dBFS. Returns the reading. A target that is not a number counts as
  /// silence. [frame]
  public mutating func move(to target: Float, over seconds: Double, _ manner: Manner) -> Float {
    let target = Double(target.isNaN ? Decibels.floor : target)
    if target >= level {
      if manner.attack > 0 {
        let goal = Decibels.amplitude(target)
        let now = Decibels.amplitude(level)
        let reached = goal - (goal - now) * exp(-seconds / manner.attack)
        level = min(target, max(level, 20 * log10(reached)))
      } else {
        level = target
      }
      (holdLeft, hold) = (manner.hold, manner.hold)
    } else {
      // A hold that was changed meanwhile counts from the end of the rise.
      if holdLeft > 0 { (holdLeft, hold) = (max(0, holdLeft + (manner.hold - hold)), manner.hold) }
      let falling = max(0, seconds - holdLeft)
      holdLeft = max(0, holdLeft - seconds)
      if falling > 0 { level = max(target, level - manner.fall * falling) }
    }
    level = max(Double(Decibels.floor), level)
    return Float(level)
  }
}
