#if canImport(Glibc)
  import Glibc
#endif

/// Converts levels to and from decibels relative to full scale (dBFS), in the range of AVAudioPlayer: -160 is silence,
/// 0 is full scale.
public enum Decibels {
  /// The lowest level in dBFS, to which lower ones are clamped.
  public static var floor: Float { -160 }

  /// The level in dBFS of an amplitude, where 1 is full scale. Computed in double precision and rounded once.
  public static func of(amplitude: Double) -> Float {
    guard amplitude > 1e-8 else { return floor }
    return Float(20 * log10(amplitude))
  }

  /// The level in dBFS of a mean square, where 1 is full scale. Computed in double precision and rounded once.
  public static func of(power: Double) -> Float {
    guard power > 1e-16 else { return floor }
    return Float(10 * log10(power))
  }

  /// The amplitude of a level in dBFS, where 1 is full scale.
  public static func amplitude(_ decibels: Double) -> Double { pow(10, 0.05 * decibels) }

  /// The factor for a gain in dB; 0 at the floor and below, which is silence.
  public static func factor(gain: Double) -> Float { gain <= Double(floor) ? 0 : Float(amplitude(gain)) }

  /// The mean square of a level in dBFS, where 1 is full scale.
  public static func power(_ decibels: Double) -> Double { pow(10, 0.1 * decibels) }
}
