#if canImport(Glibc)
  import Glibc
#endif

/// How well each tempo has explained what changed in the last seconds. [one]
///
/// Beats make bars by doubling, so a tempo is rated by the autocorrelation at a beat, two and four of them; what a piece
/// that sounds for a moment like another tempo says weighs little against the seconds before.
struct TempoBelief: Sendable {
  /// The multiples of a beat that are looked at, and what each counts.
  private static let multiples = [(1.0, 0.8), (2, 0.8), (3, 0.2), (4, 1)]
  /// From one rating to the next: six of them, 3 s, are what is remembered.
  private static let memory = 0.84
  /// How much more a tempo that is followed counts.
  private static let loyalty = 1.2
  /// The tempi that are rated, in beats a minute: from `slowest` on, each `ratio` times the one before.
  private static let slowest = 6.0
  private static let ratio = 1.0025
  private static let count = 2160

  /// Seconds from one change to the next.
  private let step: Double
  private var belief = [Double](repeating: 0, count: Self.count)

  init(step: Double) { self.step = step }

  /// Forgets what was.
  mutating func clear() {
    for place in belief.indices { belief[place] = 0 }
  }

  /// Rates all tempi within the settings by a signal; gives the seconds of a beat and how strong it is now, nil for a
  /// steady sound. `followed` is the tempo of the grid, in beats a minute.
  mutating func take(_ signal: [Float], _ settings: BeatSettings, followed: Double?) -> (
    period: Double, strength: Double
  )? {
    guard let correlation = Self.correlate(signal, step, slowest: settings.slowest) else { return nil }
    let step = step
    func rating(_ period: Double) -> Double { Self.rating(correlation, period / step) }
    var best = (place: 0, score: 0.0)
    for place in place(settings.slowest)...place(settings.fastest) {
      let tempo = Self.slowest * pow(Self.ratio, Double(place))
      belief[place] = belief[place] * Self.memory + (1 - Self.memory) * rating(60 / tempo)
      var score = belief[place]
      // What is expected is somewhat likelier: 120, or the hint.
      let octaves = log2(tempo / (settings.hint ?? 120))
      score *= exp(-0.5 * octaves * octaves / (settings.hint == nil ? 1.6 * 1.6 : 0.3 * 0.3))
      if let followed, abs(tempo / followed - 1) < 0.04 { score *= Self.loyalty }
      if score > best.score { best = (place, score) }
    }
    guard best.score > 0 else { return nil }
    var period = 60 / (Self.slowest * pow(Self.ratio, Double(best.place)))
    // A beat twice as fast that explains nearly as much is the beat.
    while settings.hint == nil, 120 / period <= settings.fastest,
      belief[place(120 / period)] >= 0.95 * belief[place(60 / period)]
    {
      period /= 2
    }
    // What is believed for seconds is not as exact as what is heard now.
    let near = (-8...8).map { period * (1 + 0.0025 * Double($0)) }
    period = Self.refined(near.max { rating($0) < rating($1) } ?? period, rating)
    return (period, rating(period))
  }

  /// Believes of tempi that are so many times faster what was believed.
  mutating func move(by ratio: Double) {
    let shift = Int((log(ratio) / log(Self.ratio)).rounded())
    belief = belief.indices.map { belief.indices.contains($0 - shift) ? belief[$0 - shift] : 0 }
  }

  private func place(_ tempo: Double) -> Int {
    max(0, min(Self.count - 1, Int((log(tempo / Self.slowest) / log(Self.ratio)).rounded())))
  }

  private static func centered(_ signal: [Float]) -> [Float] {
    var mean: Float = 0
    for value in signal { mean += value }
    mean /= Float(max(1, signal.count))
    return signal.map { $0 - mean }
  }

  /// The mean product of a signal and itself so much later. Eight sums that are added at the end are the same everywhere.
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

  /// How like itself a signal is after each number of changes, `step` seconds each, up to four beats of the slowest tempo; 1
  /// after none. nil for a steady sound.
  static func correlate(_ signal: [Float], _ step: Double, slowest: Double) -> [Double]? {
    let centered = centered(signal)
    let longest = min(signal.count * 3 / 4, Int(4 * 60 / slowest / step) + 2)
    let correlation = (0...longest).map { product(centered, lag: $0) }
    let energy = correlation[0]
    guard energy > 3e-4 else { return nil }
    return correlation.map { $0 / energy }
  }

  /// How well a beat of so many changes explains a signal, about 0…1; 0 for a steady sound.
  static func likeness(_ signal: [Float], after period: Double) -> Double {
    let signal = centered(signal)
    func correlation(_ lag: Int) -> Double { product(signal, lag: lag) }
    guard !signal.isEmpty, case let energy = correlation(0), energy > 3e-4 else { return 0 }
    var (sum, weight) = (0.0, 0.0)
    for (multiple, share) in multiples {
      let place = period * multiple
      let low = Int(place)
      guard low + 1 <= signal.count * 3 / 4 else { break }
      let part = place - Double(low)
      sum += share * (correlation(low) * (1 - part) + correlation(low + 1) * part)
      weight += share
    }
    return weight > 0 ? sum / weight / energy : 0
  }

  /// How well a beat of so many changes explains what was heard, about 0…1.
  static func rating(_ correlation: [Double], _ period: Double) -> Double {
    var (sum, weight) = (0.0, 0.0)
    for (multiple, share) in multiples {
      let place = period * multiple
      let low = Int(place)
      guard low + 1 < correlation.count else { break }
      let part = place - Double(low)
      sum += share * (correlation[low] * (1 - part) + correlation[low + 1] * part)
      weight += share
    }
    return weight > 0 ? sum / weight : 0
  }

  /// The top of the parabola through three values around a period.
  private static func refined(_ period: Double, _ value: (Double) -> Double) -> Double {
    let width = period * 0.004
    let (a, b, c) = (value(period - width), value(period), value(period + width))
    let bend = a - 2 * b + c
    guard bend < 0 else { return period }
    return period + width * max(-1, min(1, 0.5 * (a - c) / bend))
  }
}
