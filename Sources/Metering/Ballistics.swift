#if canImport(Glibc)
  import Glibc
#endif

/// How a needle follows a level: rise, hold, fall, all in seconds, so that nothing depends on cycles or frames.
///
/// - Rise: `L ← T − (T − L) · e^(−Δt / attack)` on amplitudes: after `attack` seconds 63 % of the way is done; 0 rises at
///   once.
/// - Hold: after a rise the level stays for `hold` seconds.
/// - Fall: `fall` decibels a second, down to the level that is there, exact for any Δt.
public struct Ballistics: Sendable {
  /// How it moves.
  public struct Manner: Equatable, Sendable {
    /// Seconds for 63 % of a rise.
    public var attack: Double
    /// Seconds it stays before it falls.
    public var hold: Double
    /// Decibels a second; infinity falls at once.
    public var fall: Double

    /// Makes a manner.
    public init(attack: Double, hold: Double, fall: Double) {
      self.attack = attack
      self.hold = hold
      self.fall = fall
    }
  }

  /// Where the needle stands, in dBFS, kept in double.
  private var level = Double(Decibels.floor)
  /// Seconds it still stays, and the hold of which they are the rest.
  private var (staying, hold) = (0.0, 0.0)

  /// A needle at rest.
  public init() {}

  /// Moves on by `seconds` towards `target` dBFS; gives where the needle stands. What is not a number counts as silence.
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
      (staying, hold) = (manner.hold, manner.hold)
    } else {
      // One that was changed meanwhile counts from the rise on, as if it had been so then.
      if staying > 0 { (staying, hold) = (max(0, staying + (manner.hold - hold)), manner.hold) }
      let falling = max(0, seconds - staying)
      staying = max(0, staying - seconds)
      if falling > 0 { level = max(target, level - manner.fall * falling) }
    }
    level = max(Double(Decibels.floor), level)
    return Float(level)
  }
}
