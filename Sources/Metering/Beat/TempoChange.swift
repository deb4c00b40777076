/// Detects a sudden change of tempo, within an octave of the tempo that the grid follows. [one]
///
/// The autocorrelation of a window of 2.5 s shows the new tempo seconds before that of `TempoTracker`, whose window is
/// 8 s.
struct TempoChange: Sendable {
  /// The length of the window, in seconds.
  static let window = 2.5
  /// The lowest rating (`TempoBelief.rating`) of a new tempo, and the least difference from the rating of the grid's
  /// tempo.
  private static let least = 0.35
  private static let better = 0.2
  /// The range of ratios between old and new tempo. The grid follows a smaller change without a jump. A larger one is
  /// probably the same music counted at another metrical level.
  private static let factors = (least: 1.05, most: 1.43)
  /// The number of successive looks that have to agree, within 3 %.
  private static let looks = 3

  /// The seconds from one change to the next.
  private let step: Double
  private var periods: [Double] = []

  init(step: Double) { self.step = step }

  /// Looks at the changes of the last window; `period` is the grid's beat period in seconds. Returns the new beat
  /// period in seconds once `looks` successive windows agree on it, else nil.
  mutating func look(at signal: [Float], period: Double, _ settings: BeatSettings) -> Double? {
    guard let found = strongest(signal, period, settings) else {
      periods.removeAll()
      return nil
    }
    periods.append(found)
    let agreeing = periods.suffix(Self.looks).filter { abs($0 / found - 1) < 0.03 }
    guard agreeing.count == Self.looks else { return nil }
    periods.removeAll()
    return found
  }

  /// Returns the best-rated period within `factors.most` of the grid's period, in seconds; nil if no period is clearly
  /// better than that of the grid.
  private func strongest(_ signal: [Float], _ period: Double, _ settings: BeatSettings) -> Double? {
    guard let correlation = TempoBelief.correlate(signal, step, slowest: settings.slowest) else { return nil }
    var near = 0.0
    for offset in -6...6 {
      near = max(near, TempoBelief.rating(correlation, period * (1 + 0.0025 * Double(offset)) / step))
    }
    var best = (period: period, rating: 0.0)
    var candidate = period / Self.factors.most
    while candidate < period * Self.factors.most {
      let rating = TempoBelief.rating(correlation, candidate / step)
      if rating > best.rating { best = (candidate, rating) }
      candidate *= 1.005
    }
    let factor = max(best.period / period, period / best.period)
    let isAllowed = 0.97 * settings.slowest...1.03 * settings.fastest ~= 60 / best.period
    let isBetter = best.rating > Self.least && best.rating > near + Self.better
    return isAllowed && isBetter && factor > Self.factors.least ? best.period : nil
  }
}
