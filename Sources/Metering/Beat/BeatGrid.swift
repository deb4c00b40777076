/// Beats that come evenly, and reach a place where they should be by running a little faster or slower. [one]
struct BeatGrid: Sendable {
  /// Beats since the grid began, at `time`; goes on by `rate` beats a second, by `slewed` until `slewEnd`.
  private var beats = 0.0
  private var time = 0.0
  /// Beats a second.
  private(set) var rate = 0.0
  private var slewed = 0.0
  private var slewEnd = 0.0

  /// Beats since the grid began, at a time in seconds.
  func beats(at time: Double) -> Double {
    let slewing = min(time, slewEnd) - min(self.time, slewEnd)
    return beats + slewing * slewed + (time - self.time - slewing) * rate
  }

  /// Which part of a beat has passed at a time, 0…1.
  func phase(at time: Double) -> Double {
    let beats = beats(at: time)
    return beats - beats.rounded(.down)
  }

  /// A number of beats that goes to another by at most a quarter of the beats of so many seconds.
  static func slew(_ beats: Double, to goal: Double, rate: Double, seconds: Double) -> Double {
    let most = 0.25 * rate * max(0, seconds)
    return beats + max(-most, min(most, goal - beats))
  }

  /// Begins with so many beats, at so many a second.
  mutating func begin(with beats: Double, rate: Double, at now: Double) {
    (self.beats, self.rate, time, slewEnd) = (beats, rate, now, now)
  }

  /// Goes to so many beats a second at once, and by so many beats within the next second, as far as a quarter faster or
  /// slower brings it.
  mutating func go(to rate: Double, by error: Double, at now: Double) {
    (beats, time, self.rate) = (beats(at: now), now, rate)
    slewed = rate + max(-0.25 * rate, min(0.25 * rate, error))
    slewEnd = now + 1
  }
}
