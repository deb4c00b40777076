#if canImport(Glibc)
  import Glibc
#endif

/// Levels in decibels relative to full scale, as AVAudioPlayer reports them: -160 is silence, 0 is full scale.
public enum Decibels {
  /// The floor; what is quieter reads as this.
  public static var floor: Float { -160 }

  /// dBFS of an amplitude (1 is full scale); worked in double, rounded once.
  public static func of(amplitude: Double) -> Float {
    guard amplitude > 1e-8 else { return floor }
    return Float(20 * log10(amplitude))
  }

  /// dBFS of a power (a mean square; 1 is full scale); worked in double, rounded once.
  public static func of(power: Double) -> Float {
    guard power > 1e-16 else { return floor }
    return Float(10 * log10(power))
  }

  /// The amplitude of a level in dBFS.
  public static func amplitude(_ decibels: Double) -> Double { pow(10, 0.05 * decibels) }

  /// The factor on samples of a gain in dB; 0 at the floor, where a gain is silence.
  public static func factor(gain: Double) -> Float { gain <= Double(floor) ? 0 : Float(amplitude(gain)) }

  /// The power of a level in dBFS.
  public static func power(_ decibels: Double) -> Double { pow(10, 0.1 * decibels) }
}
