/// Where a round of steps is: which step runs, since when, and how long it takes. It knows no samples and no channels.
/// [frame]
struct StepClock {
  /// How many steps have begun; the one that runs is the last of them.
  private(set) var count = 0
  /// Its place in the round, from 0.
  private(set) var index = 0
  /// When it began, in seconds.
  private(set) var began = 0.0
  /// How long it takes, in seconds; nil: not known, or for ever.
  private(set) var length: Double?
  /// The part of it that is over where it stands still.
  private var still = 0.0

  /// The part of the step that is over at a time, 0…1. Steps that take longer than was foreseen are over, and wait.
  func part(at time: Double) -> Double {
    guard let length, length > 0 else { return still }
    return min(1, max(0, (time - began) / length))
  }

  /// When the next step begins by itself; nil: never.
  var end: Double? { length.map { began + $0 } }

  /// Begins a step of a round of so many.
  mutating func begin(at time: Double, of steps: Int, resets: Bool, length: Double?) {
    index = resets || count == 0 ? 0 : (index + 1) % steps
    count += 1
    (began, self.length, still) = (time, length, 0)
  }

  /// Goes on at another speed from `time` on, from the place where it is.
  mutating func go(on length: Double?, from time: Double) {
    guard length != self.length, count > 0 else { return }
    still = part(at: time)
    self.length = length
    if let length { began = time - still * length }
  }
}

/// How one channel of a chase stands: since when it is lit or dark, and the level that it came from. [frame]
struct StepLamp {
  /// The number of the step that lit it.
  private(set) var step = 0
  private(set) var isLit = false
  /// In seconds.
  private var since = 0.0
  private var from = 0.0
  /// How long its way up or down takes, in seconds.
  private var way = 0.0

  /// Its level at a time.
  func level(at time: Double) -> Double {
    let t = way > 0 ? min(1, max(0, time - since) / way) : 1
    return isLit ? from + (1 - from) * t : from * (1 - t)
  }

  /// Lights it at a time, by a step; what is lit goes on.
  mutating func light(by step: Int, at time: Double, in seconds: Double) {
    self.step = step
    if !isLit { turn(true, at: time, in: seconds) }
  }

  /// Lets it go out.
  mutating func darken(at time: Double, in seconds: Double) {
    if isLit { turn(false, at: time, in: seconds) }
  }

  private mutating func turn(_ lit: Bool, at time: Double, in seconds: Double) {
    from = level(at: time)
    (isLit, since, way) = (lit, time, seconds)
  }
}
