#if canImport(Glibc)
  import Glibc
#endif

/// Finds the tempo of music and where its beats fall, from its changes. [one]
///
/// `BeatDecoder` says four times a second which beats are likeliest; there is a beat where the changes are like themselves after
/// one, two and four of these as well. The grid of beats runs evenly by itself, and goes to where the music has it by running a
/// little faster or slower: it never steps. Which beats are meant is decided by seconds; how fast they come and where they are, by
/// the accents near the last few.
public struct BeatTracker: Sendable {
  /// What it looks for.
  public struct Settings: Sendable, Equatable {
    /// The slowest tempo, in beats a minute.
    public var slowest: Double
    /// The fastest tempo, in beats a minute.
    public var fastest: Double
    /// What is expected, in beats a minute; nil: nothing.
    public var hint: Double?
    /// How long the grid goes on without music, in seconds.
    public var patience: Double
    /// Makes settings.
    public init(slowest: Double, fastest: Double, hint: Double? = nil, patience: Double = 8) {
      (self.slowest, self.fastest, self.hint, self.patience) = (slowest, fastest, hint, patience)
    }
  }

  /// Seconds that are looked back over.
  private static let memory = 8.0
  /// Seconds from one estimate to the next, and of sound before the first.
  private static let interval = 0.25
  private static let first = 2.0
  /// From what autocorrelation on there is a beat: at 0.3, speech has one now and then, at 0.32 it has none; and from what on the
  /// beat is still there.
  private static let certain = 0.32
  private static let unsure = 0.12
  /// How much likelier beats are than sound without a beat, in nats a second over the last looks, where there is a beat.
  private static let least = 1.5
  private static let looks = 12
  /// Up to how many beats off its accents the grid is believed to be at the right ones.
  private static let near = 0.1
  /// How much later than a sound its change is highest, in seconds.
  private static let lateness = 0.012
  /// After how many seconds without a change a sound stands still: what comes then is another piece, or the next part of one.
  private static let still = 2.5
  /// How much likelier beats of the grid are at first where there is one, in nats; and those that were tapped.
  private static let (known, tapped) = (5.0, 10.0)

  /// Seconds from one change to the next.
  private let step: Double
  private let size: Int
  private var changes: [Float]
  /// The same changes less leveled, and where the middle counts most: of what is off the beat, much is soft, low or high.
  private var accents: [Float]
  private var decoder: BeatDecoder?
  /// When the decoder began, and what it looks for.
  private var decoded = 0.0
  private var sought: Settings?
  /// The scores of the last looks.
  private var scores: [Double] = []
  private var favor = known
  private var bars = BarBelief()
  private var pooled = SIMD3<Float>()
  private var isSecond = false
  private var peaks = SIMD3<Float>()
  /// Changes taken, two hops each.
  private var count = 0
  /// From which on they are of one tempo.
  private var start = 0
  private var nextEstimate = 0.0
  private var candidates: [Double] = []
  private var lastSure = -Double.infinity
  private var lastChange = -Double.infinity

  /// Beats since the grid began, at `time`; goes on by `rate` beats a second, by `slewed` until `slewEnd`.
  private var beats = 0.0
  private var time = 0.0
  private var rate = 0.0
  private var slewed = 0.0
  private var slewEnd = 0.0

  /// Whether there is a grid.
  public private(set) var isLocked = false
  /// How much likelier the beats were than none, in nats a second over the last looks.
  private var gain = 0.0
  /// How strongly the last estimate spoke for its tempo, 0…1.
  private var strength = 0.0
  /// How likely a beat is where the grid has one, 0…1; 0 without a grid. The terms are a logistic regression on pieces of
  /// trial seeds (`tools/bench.d/learn_beats.py`).
  public var confidence: Double {
    guard isLocked else { return 0 }
    return 1 / (1 + exp(0.95 - 0.33 * max(-3, gain) - 0.59 * log(1 + max(0, bars.certainty))))
  }
  /// Beats a minute; 0 where there is no grid.
  public var tempo: Double { isLocked ? rate * 60 : 0 }

  /// Makes one for changes that come every `hop` seconds.
  public init(hop: Double) {
    step = 2 * hop
    size = Int(Self.memory / step)
    changes = Array(repeating: 0, count: size)
    accents = changes
  }

  /// Takes the change of the next hop. Sound below a gate has none.
  public mutating func take(_ parts: SIMD3<Float>, hasSound: Bool, _ settings: Settings) {
    pooled = isSecond ? pooled + parts : parts
    isSecond.toggle()
    guard !isSecond else { return }
    let fade = Float(exp(-step / 3))
    peaks = pointwiseMax(pooled, peaks * fade)
    let leveled = pooled / (pooled + 0.5 * peaks + 0.5)
    changes[count % size] = hasSound ? leveled.x + leveled.y + 0.4 * leveled.z : 0
    let accent = (pooled / (peaks + 0.5)).squareRoot()
    accents[count % size] = hasSound ? 0.15 * accent.x + accent.y + 0.15 * accent.z : 0
    count += 1
    let now = Double(count) * step
    let shares = pooled / (peaks + 0.5)
    if hasSound, RhythmPatterns.symbol(shares) > 0 { lastChange = now }
    decode(hasSound ? shares : nil, at: now, settings)
    if isLocked, hasSound { bars.take(shares, at: grid(at: now)) }
    if now >= nextEstimate {
      nextEstimate = now + Self.interval
      estimate(at: now, settings)
    }
  }

  /// Beats since the grid began, at a time in seconds of what was taken; not before the last time that was asked for.
  public func beats(at time: Double) -> Double { isLocked ? grid(at: time) : 0 }

  private func grid(at time: Double) -> Double {
    let slewing = min(time, slewEnd) - min(self.time, slewEnd)
    return beats + slewing * slewed + (time - self.time - slewing) * rate
  }

  /// The likeliest bar of one of these lengths, in beats: its length, a beat that it begins with, as `beats` counts them, and
  /// how sure that is, 0…1; nil without a grid, and where no such length can be heard.
  public func bar(of lengths: [Int]) -> (beats: Int, first: Double, confidence: Double)? {
    guard isLocked, let bar = bars.bar(of: lengths) else { return nil }
    return (bar.beats, Double(bar.first), bar.confidence)
  }

  /// Has a grid of so many beats a second, and moves it by so many beats as `follow` does; where there was none, it begins
  /// with so many. `now` is in seconds of what was taken.
  public mutating func steer(to rate: Double, by error: Double, at now: Double) {
    lastSure = now
    decoder = nil
    favor = Self.tapped
    bars = BarBelief()
    guard !isLocked else { return go(to: rate, by: error, at: now) }
    isLocked = true
    self.rate = rate
    (time, beats, slewEnd) = (now, error, now)
  }

  // MARK: - Estimates

  /// Has the decoder hear a change; another begins where sound does, and where other tempi are looked for.
  private mutating func decode(_ changes: SIMD3<Float>?, at now: Double, _ settings: Settings) {
    if now - lastChange > Self.still || sought != settings { decoder = nil }
    guard now - lastChange <= Self.still else { return }
    if decoder == nil {
      let grid = grid(at: now - step)
      decoder = BeatDecoder(
        step: step, slowest: settings.slowest, fastest: settings.fastest, hint: settings.hint,
        grid: isLocked ? (1 / rate, (grid - grid.rounded(.down)) / rate, favor) : nil)
      (decoded, sought, favor) = (now - step, settings, Self.known)
      scores.removeAll()
      candidates.removeAll()
    }
    decoder?.take(changes)
  }

  private mutating func estimate(at now: Double, _ settings: Settings) {
    if isLocked, now - lastSure > settings.patience { forget() }
    strength = 0
    guard let path = decoder?.path() else { return }
    let (period, last) = line(through: path)
    scores.append(Double(path.score) / Double(RhythmPatterns.nat))
    if scores.count > Self.looks { scores.removeFirst() }
    let seconds = Double(scores.count - 1) * Self.interval
    gain = seconds > 0 ? (scores[scores.count - 1] - scores[0]) / seconds : 0
    guard now - decoded >= Self.first || isLocked else { return }
    let signal = ordered(changes, min(size, count - start, Int((now - decoded) / step)))
    strength = max(0, min(1, Self.likeness(signal, after: period / step)))
    candidates.append(period)
    if candidates.count > 3 { candidates.removeFirst() }
    let agreeing = candidates.filter { abs($0 / period - 1) < 0.04 }
    if isLocked {
      if strength >= Self.unsure, gain > 0 { lastSure = now }
      let isNear = abs(period * rate - 1) < 0.04
      if !isNear {
        bars = BarBelief()
        start = max(start, count - Int(Self.still / step))
      }
      follow(period, last, at: now)
    } else if agreeing.count >= 2, strength >= Self.certain, gain >= Self.least {
      isLocked = true
      lastSure = now
      rate = 1 / period
      bars = BarBelief()
      // The last beat before now is number 0.
      let since = (now - last) / period
      (time, beats, slewEnd) = (now, since - since.rounded(.down), now)
    }
  }

  /// The seconds of a beat, and when the last one was, by a line through the last beats of a path.
  private func line(through path: BeatDecoder.Path) -> (period: Double, last: Double) {
    let count = Double(path.count)
    var (mean, slope) = (0.0, 0.0)
    for beat in 0..<path.count {
      mean += Double(path.ends[beat]) / count
      slope += (count - 1) / 2 * Double(path.ends[beat]) - Double(beat) * Double(path.ends[beat])
    }
    slope *= 12 / (count * (count * count - 1))
    if path.count < 3 || abs(slope / Double(path.length) - 1) > 0.05 {
      (slope, mean) = (Double(path.length), Double(path.ends[0]) - Double(path.length) * (count - 1) / 2)
    }
    let last = mean + slope * (count - 1) / 2
    return (slope * step, decoded + (last + slope / 16) * step - Self.lateness)
  }

  /// Has no grid any more, and expects none.
  private mutating func forget() {
    isLocked = false
    decoder = nil
  }

  /// Goes to a period, and in the next second to where its beats are.
  private mutating func follow(_ period: Double, _ last: Double, at now: Double) {
    let here = grid(at: now)
    var error = (now - last) / period - here
    error -= error.rounded()
    var rate = 1 / period
    // Seconds make a tempo late that moves: the last beats know better, where these are the beats.
    let length = min(size, count - start)
    if abs(period * self.rate - 1) < 0.04, abs(error) < Self.near,
      let near = GridError(of: ordered(accents, length), beats: here, rate: self.rate, step: step)
    {
      error = -near.lead
      rate = 0.9 * self.rate + 0.1 * rate + 0.25 * near.drift
    }
    go(to: rate, by: error, at: now)
  }

  /// Goes to so many beats a second at once, and by so many beats within the next second, as far as a quarter faster or
  /// slower brings it.
  private mutating func go(to rate: Double, by error: Double, at now: Double) {
    (beats, time, self.rate) = (grid(at: now), now, rate)
    slewed = rate + max(-0.25 * rate, min(0.25 * rate, error))
    slewEnd = now + 1
  }

  /// The last changes, the oldest first, less what is there all the time, and a little blurred: players are not machines.
  private func ordered(_ changes: [Float], _ length: Int) -> [Float] {
    var signal = (0..<length).map { changes[(count - length + $0) % size] }
    let width = max(1, Int(0.4 / step))
    var sums = [Float](repeating: 0, count: length + 1)
    for i in 0..<length { sums[i + 1] = sums[i] + signal[i] }
    for i in 0..<length {
      let (low, high) = (max(0, i - width), min(length, i + width + 1))
      signal[i] = max(0, signal[i] - (sums[high] - sums[low]) / Float(high - low))
    }
    return (0..<length).map { i in
      0.5 * signal[i] + 0.25 * signal[max(0, i - 1)] + 0.25 * signal[min(length - 1, i + 1)]
    }
  }

  /// How like itself a signal is after one, two and four beats of so many changes, about 0…1; 0 for a steady sound. Beats make bars
  /// by doubling.
  private static func likeness(_ signal: [Float], after period: Double) -> Double {
    var mean: Float = 0
    for value in signal { mean += value }
    mean /= Float(max(1, signal.count))
    func correlation(_ lag: Int) -> Double {
      var sum: Float = 0
      for i in lag..<signal.count { sum += (signal[i] - mean) * (signal[i - lag] - mean) }
      return Double(sum) / Double(signal.count - lag)
    }
    guard !signal.isEmpty, case let energy = correlation(0), energy > 3e-4 else { return 0 }
    var (sum, weight) = (0.0, 0.0)
    for (multiple, share) in [(1.0, 0.8), (2, 0.8), (3, 0.2), (4, 1)] {
      let place = period * multiple
      let low = Int(place)
      guard low + 1 <= signal.count * 3 / 4 else { break }
      let part = place - Double(low)
      sum += share * (correlation(low) * (1 - part) + correlation(low + 1) * part)
      weight += share
    }
    return weight > 0 ? sum / weight / energy : 0
  }
}
