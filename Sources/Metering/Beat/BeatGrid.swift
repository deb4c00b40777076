/// A grid of evenly spaced beats. It corrects its position by running up to a quarter faster or slower, and never
/// steps. [one]
struct BeatGrid: Sendable {
  /// Beats since the grid began, at `time`. From then on the count grows by `slewed` beats a second until `slewEnd`,
  /// and by `rate` beats a second afterwards. Times are in seconds.
  private var beats = 0.0
  private var time = 0.0
  /// The tempo, in beats a second.
  private(set) var rate = 0.0
  private var slewed = 0.0
  private var slewEnd = 0.0

  /// Returns the beats since the grid began, at a time in seconds.
  func beats(at time: Double) -> Double {
    let slewing = min(time, slewEnd) - min(self.time, slewEnd)
    return beats + slewing * slewed + (time - self.time - slewing) * rate
  }

  /// Returns the phase in the beat at a time in seconds, 0 ≤ phase < 1.
  func phase(at time: Double) -> Double {
    let beats = beats(at: time)
    return beats - beats.rounded(.down)
  }

  /// Moves an offset `beats` toward `goal`, by at most a quarter of the beats that pass in `seconds`.
  static func slew(_ beats: Double, to goal: Double, rate: Double, seconds: Double) -> Double {
    let most = 0.25 * rate * max(0, seconds)
    return beats + max(-most, min(most, goal - beats))
  }

  /// Starts the grid with a count of `beats` and a tempo of `rate` beats a second.
  mutating func begin(with beats: Double, rate: Double, at now: Double) {
    (self.beats, self.rate, time, slewEnd) = (beats, rate, now, now)
  }

  /// Changes the tempo to `rate` beats a second at once, and the position by `error` beats within the next second. The
  /// correction is limited to a quarter of the beats in that second.
  mutating func go(to rate: Double, by error: Double, at now: Double) {
    (beats, time, self.rate) = (beats(at: now), now, rate)
    slewed = rate + max(-0.25 * rate, min(0.25 * rate, error))
    slewEnd = now + 1
  }
}
