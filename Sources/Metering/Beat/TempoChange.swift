/// Notices that music goes on at another tempo, within an octave of the one that is followed. [one]
///
/// A window of a few seconds is like itself after a beat of the new tempo long before one of eight seconds is.
struct TempoChange: Sendable {
  /// The seconds of a window.
  static let window = 2.5
  /// From what rating on there is another tempo, and by how much it is above that of the grid.
  private static let least = 0.35
  private static let better = 0.2
  /// By which factor a tempo is another: less is followed without a jump, more is the same music counted otherwise.
  private static let factors = (least: 1.05, most: 1.43)
  /// How many looks have to agree.
  private static let looks = 3

  /// Seconds from one change to the next.
  private let step: Double
  private var periods: [Double] = []

  init(step: Double) { self.step = step }

  /// Looks at the changes of the last seconds; gives the seconds of a beat where they have another tempo than `period` for the
  /// third time.
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

  /// The period around that of the grid that explains the signal best; nil where that is the grid's.
  private func strongest(_ signal: [Float], _ period: Double, _ settings: BeatSettings) -> Double? {
    guard let correlation = TempoBelief.correlate(signal, step, slowest: settings.slowest) else { return nil }
    var near = 0.0
    for place in -6...6 {
      near = max(near, TempoBelief.rating(correlation, period * (1 + 0.0025 * Double(place)) / step))
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
