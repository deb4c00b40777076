#if canImport(Glibc)
  import Glibc
#endif

/// Finds where sounds begin. [one]
public struct OnsetPicker: Sendable {
  /// What it asks for.
  public struct Settings: Sendable, Equatable {
    /// 0…1: how small a change is an onset.
    public var sensitivity: Double
    /// The least time from one to the next, in seconds.
    public var gap: Double
    /// Below this level nothing begins, in dBFS.
    public var gate: Double
    /// Makes settings.
    public init(sensitivity: Double, gap: Double, gate: Double) {
      (self.sensitivity, self.gap, self.gate) = (sensitivity, gap, gate)
    }
  }

  private let seconds: Double
  private var recent: [(attacks: Float, change: Float)]
  private var count = 0
  private var since = Double.infinity

  /// Makes one for hops of so many seconds.
  public init(hop seconds: Double) {
    self.seconds = seconds
    recent = Array(repeating: (0, 0), count: max(8, Int(0.1 / seconds)))
  }

  /// Takes a hop: how much of its change is attacks, and all of it, and the power of its window; gives whether an onset is
  /// there.
  public mutating func take(_ attacks: Float, of change: Float, power: Float, _ settings: Settings) -> Bool {
    defer {
      recent[count % recent.count] = (attacks, change)
      count += 1
      since += seconds
    }
    let size = min(count, recent.count)
    var (mean, all, top): (Float, Float, Float) = (0, 0, 0)
    for age in 1...max(1, size) where age <= size {
      let value = recent[(count - age) % recent.count]
      mean += value.attacks
      all += value.change
      if age <= 2 { top = max(top, value.attacks) }
    }
    // Where all of the sound swings, as in noise, chance attacks are rare, and their own mean would let them pass.
    mean = max(mean, 0.6 * all) / Float(max(1, size))
    // From 6 (hardly anything) to 0.4 (nearly everything), 1.5 in the middle.
    let least = Float(1.5 * exp2(4 * (0.5 - settings.sensitivity)))
    let threshold = max(least, 2.2 * mean + least / 2)
    guard since + seconds / 2 >= settings.gap, attacks > threshold, attacks >= top,
      Double(power) > pow(10, settings.gate / 10)
    else { return false }
    since = 0
    return true
  }
}
