#if canImport(Glibc)
  import Glibc
#endif

/// The ballistics of a meter: rise, hold and fall. All are defined in seconds, so that the reading does not depend on
/// the lengths of cycles or frames.
///
/// - Rise: `L ← T − (T − L) · e^(−Δt / attack)`, where L and T are the amplitudes of reading and target. After `attack`
///   seconds, 63 % of the way is done. An attack of 0 rises at once.
/// - Hold: after a rise the level stays for `hold` seconds.
/// - Fall: the level falls by `fall` decibels a second, down to the target.
public struct Ballistics: Sendable {
  /// The parameters of the movement.
  public struct Manner: Equatable, Sendable {
    /// The time constant of a rise, in seconds.
    public var attack: Double
    /// The time between the end of a rise and the fall, in seconds.
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
  /// The rest and the full length of the current hold, in seconds.
  private var (holdLeft, hold) = (0.0, 0.0)

  /// Makes a meter that reads the floor.
  public init() {}

  /// Moves the reading for `seconds` towards `target`, in dBFS, and returns it. A target of NaN counts as silence.
  /// [frame]
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
      // If the setting has changed during a hold, the new length counts from the end of the rise.
      if holdLeft > 0 { (holdLeft, hold) = (max(0, holdLeft + (manner.hold - hold)), manner.hold) }
      let falling = max(0, seconds - holdLeft)
      holdLeft = max(0, holdLeft - seconds)
      if falling > 0 { level = max(target, level - manner.fall * falling) }
    }
    level = max(Double(Decibels.floor), level)
    return Float(level)
  }
}
