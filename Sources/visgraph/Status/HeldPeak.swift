/// The highest level of late, for a screen that looks less often than levels come: up at once, held for 1.5 s, then
/// down by 20 dB a second. Also knows when there last was sound. [control]
struct HeldPeak: Equatable, Sendable {
  /// How long it is held, in seconds.
  static var hold: Double { 1.5 }
  /// How fast it falls then, in dB a second.
  static var fall: Double { 20 }

  /// dBFS, -160 at the floor.
  private(set) var level: Float = -160
  /// When a level was last above the floor; nil if none ever was.
  private(set) var lastSound: Double?
  private var time = 0.0
  private var top = 0.0

  /// Takes a peak in dBFS at `time`, in seconds.
  mutating func take(_ peak: Float, at time: Double) {
    if peak > -160 { lastSound = time }
    if peak >= level {
      level = peak
      top = time
    } else if time > top + Self.hold {
      let seconds = time - max(self.time, top + Self.hold)
      level = max(peak, level - Float(max(0, seconds) * Self.fall), -160)
    }
    self.time = time
  }

  /// How long there has been no sound at `time`; nil if there never was any.
  func sinceSound(at time: Double) -> Double? { lastSound.map { max(0, time - $0) } }
}
