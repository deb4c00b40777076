/// The tempo of taps: the mean of up to eight intervals. [frame]
struct TapTempo {
  /// The valid intervals between two taps, in seconds: 300 to 30 beats a minute.
  private static let intervals = 0.2...2.0
  /// The maximum number of taps that count.
  private static let mostTaps = 9
  /// The last taps, in seconds.
  private var taps: [Double] = []

  /// Takes a tap at a time in seconds. Returns the seconds from tap to tap; nil for a single tap, and for one that
  /// comes too soon. A tap at an interval that is much shorter or longer than those before it begins another tempo.
  mutating func tap(at time: Double) -> Double? {
    if let last = taps.last {
      let interval = time - last
      if interval < Self.intervals.lowerBound { return nil }
      if interval > Self.intervals.upperBound {
        taps = []
      } else if let period, !(0.75...1.33).contains(interval / period) {
        taps = [last]
      }
    }
    taps.append(time)
    if taps.count > Self.mostTaps { taps.removeFirst() }
    return period
  }

  private var period: Double? {
    taps.count > 1 ? (taps[taps.count - 1] - taps[0]) / Double(taps.count - 1) : nil
  }
}
