#if canImport(Glibc)
  import Glibc
#endif

/// Finds onsets in the spectral flux, hop by hop. [one]
public struct OnsetPicker: Sendable {
  /// The settings of the search.
  public struct Settings: Sendable, Equatable {
    /// 0…1. The higher it is, the smaller are the changes that count as onsets.
    public var sensitivity: Double
    /// The least time between two onsets, in seconds.
    public var gap: Double
    /// The power of a window, in dBFS, below which there is no onset.
    public var gate: Double
    /// Makes the settings.
    public init(sensitivity: Double, gap: Double, gate: Double) {
      (self.sensitivity, self.gap, self.gate) = (sensitivity, gap, gate)
    }
  }

  /// The length of a hop, in seconds.
  private let seconds: Double
  /// The flux of the hops of the last 100 ms, at least 8, as a ring.
  private var recent: [(attacks: Float, change: Float)]
  /// The number of hops taken.
  private var count = 0
  /// Seconds since the last onset.
  private var sinceOnset = Double.infinity

  /// Makes a picker for hops of `seconds`.
  public init(hop seconds: Double) {
    self.seconds = seconds
    recent = Array(repeating: (0, 0), count: max(8, Int(0.1 / seconds)))
  }

  /// Takes the next hop, and returns whether it is an onset. `attacks`: the flux without swinging bands (see
  /// `SpectralFlux`); `change`: the whole flux; `power`: the mean square of the hop's window.
  public mutating func take(_ attacks: Float, of change: Float, power: Float, _ settings: Settings) -> Bool {
    defer {
      recent[count % recent.count] = (attacks, change)
      count += 1
      sinceOnset += seconds
    }
    let size = min(count, recent.count)
    var (mean, changeSum, lastPeak): (Float, Float, Float) = (0, 0, 0)
    for age in 1...max(1, size) where age <= size {
      let value = recent[(count - age) % recent.count]
      mean += value.attacks
      changeSum += value.change
      if age <= 2 { lastPeak = max(lastPeak, value.attacks) }
    }
    // In noise all bands swing. Attacks by chance are then so rare that they would exceed a threshold from their own
    // mean.
    mean = max(mean, 0.6 * changeSum) / Float(max(1, size))
    // The least flux: 6 at sensitivity 0, 1.5 at 0.5, 0.375 at 1.
    let least = Float(1.5 * exp2(4 * (0.5 - settings.sensitivity)))
    let threshold = max(least, 2.2 * mean + least / 2)
    guard sinceOnset + seconds / 2 >= settings.gap, attacks > threshold, attacks >= lastPeak,
      Double(power) > pow(10, settings.gate / 10)
    else { return false }
    sinceOnset = 0
    return true
  }
}
