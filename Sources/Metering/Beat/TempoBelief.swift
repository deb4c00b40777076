#if canImport(Glibc)
  import Glibc
#endif

/// Rates tempo hypotheses by the autocorrelation of the onset strength, averaged over about 3 s. [one]
///
/// A tempo is rated at lags of one to four beats, because the beats of most music group in twos. The average keeps a
/// few notes that suggest another tempo from outweighing the seconds before.
struct TempoBelief: Sendable {
  /// The lags at which the autocorrelation is read, in beats, and the weight of each.
  private static let multiples = [(1.0, 0.8), (2, 0.8), (3, 0.2), (4, 1)]
  /// The weight of the old belief at each update. At two updates a second the time constant is about 3 s.
  private static let memory = 0.84
  /// The hysteresis: a factor on the score of tempi within 4 % of the one that is followed.
  private static let hysteresis = 1.2
  /// The tempo hypotheses: `slowest` in beats a minute, and each further one `ratio` times the one before, up to 1300.
  private static let slowest = 6.0
  private static let ratio = 1.0025
  private static let count = 2160

  /// The seconds from one change to the next.
  private let step: Double
  private var belief = [Double](repeating: 0, count: Self.count)

  init(step: Double) { self.step = step }

  /// Forgets all ratings.
  mutating func clear() {
    for index in belief.indices { belief[index] = 0 }
  }

  /// Updates the ratings of all tempi within the settings by a signal of changes, the oldest first. Returns the beat
  /// period in seconds and the rating of that period in this signal alone, about 0…1; nil for a steady sound.
  /// `followed` is the tempo of the grid in beats a minute, or nil.
  mutating func take(_ signal: [Float], _ settings: BeatSettings, followed: Double?) -> (
    period: Double, strength: Double
  )? {
    guard let correlation = Self.correlate(signal, step, slowest: settings.slowest) else { return nil }
    let step = step
    func rating(_ period: Double) -> Double { Self.rating(correlation, period / step) }
    var best = (index: 0, score: 0.0)
    for index in tempoIndex(settings.slowest)...tempoIndex(settings.fastest) {
      let tempo = Self.slowest * pow(Self.ratio, Double(index))
      belief[index] = belief[index] * Self.memory + (1 - Self.memory) * rating(60 / tempo)
      var score = belief[index]
      // The prior is a normal distribution of log2 tempo: around 120 beats a minute with a deviation of 1.6 octaves, or
      // around the hint with 0.3 octaves.
      let octaves = log2(tempo / (settings.hint ?? 120))
      score *= exp(-0.5 * octaves * octaves / (settings.hint == nil ? 1.6 * 1.6 : 0.3 * 0.3))
      if let followed, abs(tempo / followed - 1) < 0.04 { score *= Self.hysteresis }
      if score > best.score { best = (index, score) }
    }
    guard best.score > 0 else { return nil }
    var period = 60 / (Self.slowest * pow(Self.ratio, Double(best.index)))
    // Resolves the octave ambiguity: twice the tempo is taken if its belief is nearly as high.
    while settings.hint == nil, 120 / period <= settings.fastest,
      belief[tempoIndex(120 / period)] >= 0.95 * belief[tempoIndex(60 / period)]
    {
      period /= 2
    }
    // The averaged belief lags behind the music, so the period is refined within 2 % by the current autocorrelation.
    let near = (-8...8).map { period * (1 + 0.0025 * Double($0)) }
    period = Self.refined(near.max { rating($0) < rating($1) } ?? period, rating)
    return (period, rating(period))
  }

  /// Shifts the ratings to tempi that are `ratio` times faster, after a change of tempo.
  mutating func move(by ratio: Double) {
    let shift = Int((log(ratio) / log(Self.ratio)).rounded())
    belief = belief.indices.map { belief.indices.contains($0 - shift) ? belief[$0 - shift] : 0 }
  }

  private func tempoIndex(_ tempo: Double) -> Int {
    max(0, min(Self.count - 1, Int((log(tempo / Self.slowest) / log(Self.ratio)).rounded())))
  }

  private static func centered(_ signal: [Float]) -> [Float] {
    var mean: Float = 0
    for value in signal { mean += value }
    mean /= Float(max(1, signal.count))
    return signal.map { $0 - mean }
  }

  /// Returns the autocorrelation at a lag: the mean product of the signal and its delayed self. The order of additions
  /// is fixed, eight partial sums, so that the result is the same on every processor.
  private static func product(_ signal: [Float], lag: Int) -> Double {
    typealias Eight = SIMD8<Float>
    let count = signal.count - lag
    var sums = Eight()
    var rest: Float = 0
    signal.withUnsafeBytes { bytes in
      let size = MemoryLayout<Float>.size
      for place in stride(from: 0, to: count - 7, by: 8) {
        let early = bytes.loadUnaligned(fromByteOffset: place * size, as: Eight.self)
        sums += early * bytes.loadUnaligned(fromByteOffset: (place + lag) * size, as: Eight.self)
      }
    }
    for place in count / 8 * 8..<count { rest += signal[place] * signal[place + lag] }
    let fours = sums.lowHalf + sums.highHalf
    let twos = fours.lowHalf + fours.highHalf
    return Double(twos.x + twos.y + rest) / Double(count)
  }

  /// Returns the normalized autocorrelation of a signal at each lag in steps of `step` seconds, up to four beats of the
  /// slowest tempo (in beats a minute); the value at lag 0 is 1. nil for a steady sound.
  static func correlate(_ signal: [Float], _ step: Double, slowest: Double) -> [Double]? {
    let centered = centered(signal)
    let longest = min(signal.count * 3 / 4, Int(4 * 60 / slowest / step) + 2)
    let correlation = (0...longest).map { product(centered, lag: $0) }
    let energy = correlation[0]
    guard energy > 3e-4 else { return nil }
    return correlation.map { $0 / energy }
  }

  /// Returns the same as `rating`, about 0…1, but computes the autocorrelation only at the lags of this period, given
  /// in steps; 0 for a steady sound.
  static func periodicity(_ signal: [Float], after period: Double) -> Double {
    let signal = centered(signal)
    func correlation(_ lag: Int) -> Double { product(signal, lag: lag) }
    guard !signal.isEmpty, case let energy = correlation(0), energy > 3e-4 else { return 0 }
    var (sum, weight) = (0.0, 0.0)
    for (multiple, share) in multiples {
      let lag = period * multiple
      let low = Int(lag)
      guard low + 1 <= signal.count * 3 / 4 else { break }
      let fraction = lag - Double(low)
      sum += share * (correlation(low) * (1 - fraction) + correlation(low + 1) * fraction)
      weight += share
    }
    return weight > 0 ? sum / weight / energy : 0
  }

  /// Rates a beat period in steps, about 0…1: the weighted mean of the autocorrelation at `multiples` of it.
  static func rating(_ correlation: [Double], _ period: Double) -> Double {
    var (sum, weight) = (0.0, 0.0)
    for (multiple, share) in multiples {
      let lag = period * multiple
      let low = Int(lag)
      guard low + 1 < correlation.count else { break }
      let fraction = lag - Double(low)
      sum += share * (correlation[low] * (1 - fraction) + correlation[low + 1] * fraction)
      weight += share
    }
    return weight > 0 ? sum / weight : 0
  }

  /// Refines a period by a parabola through the values at the period and 0.4 % on either side.
  private static func refined(_ period: Double, _ value: (Double) -> Double) -> Double {
    let width = period * 0.004
    let (a, b, c) = (value(period - width), value(period), value(period + width))
    let bend = a - 2 * b + c
    guard bend < 0 else { return period }
    return period + width * max(-1, min(1, 0.5 * (a - c) / bend))
  }
}
