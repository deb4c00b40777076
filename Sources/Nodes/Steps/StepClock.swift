/// The position in a round of steps: the present step, its start, and its length. It knows neither samples nor
/// channels. [frame]
struct StepClock {
  /// How many steps have begun; the last of them is the present one.
  private(set) var count = 0
  /// The index of the present step in the round, from 0.
  private(set) var index = 0
  /// When it began, in seconds.
  private(set) var began = 0.0
  /// Its length, in seconds; nil: unknown, or endless.
  private(set) var length: Double?
  /// The fraction of it that has passed, where it has no length.
  private var stoppedPart = 0.0

  /// The fraction of the step that has passed at a time, 0…1. A step that takes longer than expected stays at 1.
  func part(at time: Double) -> Double {
    guard let length, length > 0 else { return stoppedPart }
    return min(1, max(0, (time - began) / length))
  }

  /// When the next step begins without an event; nil: never.
  var end: Double? { length.map { began + $0 } }

  /// Begins a step in a round of `steps` steps.
  mutating func begin(at time: Double, of steps: Int, resets: Bool, length: Double?) {
    index = resets || count == 0 ? 0 : (index + 1) % steps
    count += 1
    (began, self.length, stoppedPart) = (time, length, 0)
  }

  /// Changes the length of the step at `time`, and keeps the fraction that has passed.
  mutating func go(on length: Double?, from time: Double) {
    guard length != self.length, count > 0 else { return }
    stoppedPart = part(at: time)
    self.length = length
    if let length { began = time - stoppedPart * length }
  }
}

/// One channel of a chase: when it was last lit or darkened, and the fade from its level of that time. [frame]
struct StepLamp {
  /// The number of the step that lit it.
  private(set) var step = 0
  private(set) var isLit = false
  /// When it was lit or darkened, in seconds.
  private var since = 0.0
  /// The level at that time.
  private var from = 0.0
  /// The length of its fade, in seconds.
  private var fadeLength = 0.0

  /// Its level at a time.
  func level(at time: Double) -> Double {
    let t = fadeLength > 0 ? min(1, max(0, time - since) / fadeLength) : 1
    return isLit ? from + (1 - from) * t : from * (1 - t)
  }

  /// Lights it at a time; a lit channel only notes the step.
  mutating func light(by step: Int, at time: Double, in seconds: Double) {
    self.step = step
    if !isLit { setLit(true, at: time, in: seconds) }
  }

  /// Fades it out from a time on.
  mutating func darken(at time: Double, in seconds: Double) {
    if isLit { setLit(false, at: time, in: seconds) }
  }

  private mutating func setLit(_ lit: Bool, at time: Double, in seconds: Double) {
    from = level(at: time)
    (isLit, since, fadeLength) = (lit, time, seconds)
  }
}
