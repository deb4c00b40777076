#if canImport(Glibc)
  import Glibc
#endif

/// Finds onsets in the spectral flux, hop by hop. [one]
public struct OnsetPicker: Sendable {
  /// The settings of the search.
  public struct Settings: Sendable, Equatable {
    /// 0…1; the higher, the smaller a change is an onset.
    public var sensitivity: Double
    /// The least time between two onsets, in seconds.
    public var gap: Double
    /// The power in dBFS below which there is no onset.
    public var gate: Double
    /// Makes the settings.
    public init(sensitivity: Double, gap: Double, gate: Double) {
      (self.sensitivity, self.gap, self.gate) = (sensitivity, gap, gate)
    }
  }

  private let seconds: Double
  private var recent: [(attacks: Float, change: Float)]
  private var count = 0
  private var since = Double.infinity

  /// Makes a picker for hops of so many seconds.
  public init(hop seconds: Double) {
    self.seconds = seconds
    recent = Array(repeating: (0, 0), count: max(8, Int(0.1 / seconds)))
  }

  /// Takes the next hop: the flux without swinging bands (`attacks`), the whole flux (`change`), and the power of its
  /// window. Returns whether there is an onset.
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
    // In noise all bands swing, so attacks by chance are rare, and their mean alone would let them pass.
    mean = max(mean, 0.6 * all) / Float(max(1, size))
    // The least flux: 6 at sensitivity 0, 1.5 at 0.5, 0.375 at 1.
    let least = Float(1.5 * exp2(4 * (0.5 - settings.sensitivity)))
    let threshold = max(least, 2.2 * mean + least / 2)
    guard since + seconds / 2 >= settings.gap, attacks > threshold, attacks >= top,
      Double(power) > pow(10, settings.gate / 10)
    else { return false }
    since = 0
    return true
  }
}
