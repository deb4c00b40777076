#if canImport(Glibc)
  import Glibc
#endif

/// Finds the tempo of music and where its beats fall, from its changes. [one]
///
/// Changes of three ranges of frequencies are leveled and added; twice a second the autocorrelation of the last 8 s, read
/// at multiples of a period, speaks for a tempo, and the changes folded to that period for a place of the beat. Both are
/// believed by what spoke for them over the last seconds. The grid of beats runs evenly by itself, and goes to where the
/// music has it by running a little faster or slower: it never steps. Which beats are meant is decided by seconds; how fast
/// they come and where they are, by the accents near the last few.
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
  /// Seconds from one estimate to the next, and to the first.
  private static let interval = 0.5
  private static let first = 2.5
  /// From what autocorrelation on there is a beat: at 0.24, speech and pads have one now and then, at 0.4 they have none. From
  /// what on the grid goes to another tempo, and from what on the beat is still there.
  private static let certain = 0.4
  private static let sure = 0.24
  private static let unsure = 0.12
  /// Up to how many beats off its accents the grid is believed to be at the right ones.
  private static let near = 0.15

  /// Seconds from one change to the next.
  private let step: Double
  private let size: Int
  private var changes: [Float]
  /// The same changes less leveled, and where the middle counts most: of what is off the beat, much is soft, low or high.
  private var accents: [Float]
  private var tempi: TempoBelief
  private var phases: PhaseBelief
  private var change: TempoChange
  private var bars = BarBelief()
  /// How many beats those that are meant were before those of the grid at `leadTime`; they go to where they belong by a
  /// quarter faster or slower.
  private var lead = 0.0
  private var leadTime = 0.0
  private var pooled = SIMD3<Float>()
  private var isSecond = false
  private var peaks = SIMD3<Float>()
  /// Changes taken, two hops each.
  private var count = 0
  /// From which on they are of one tempo.
  private var start = 0
  private var nextEstimate = first
  private var candidates: [Double] = []
  private var lastSure = -Double.infinity
  private var lastSound = -Double.infinity

  /// Beats since the grid began, at `time`; goes on by `rate` beats a second, by `slewed` until `slewEnd`.
  private var beats = 0.0
  private var time = 0.0
  private var rate = 0.0
  private var slewed = 0.0
  private var slewEnd = 0.0

  /// Whether there is a grid.
  public private(set) var isLocked = false
  /// How strongly the last estimate spoke for its tempo, 0…1.
  private var strength = 0.0
  /// How likely a beat is where the grid has one, 0…1; 0 without a grid. The terms are a logistic regression on pieces of
  /// trial seeds (`tools/bench.d/learn_beats.py`).
  public var confidence: Double {
    guard isLocked else { return 0 }
    return 1 / (1 + exp(1 - 1.2 * strength - 0.65 * log(1 + max(0, bars.certainty))))
  }
  /// Beats a minute; 0 where there is no grid.
  public var tempo: Double { isLocked ? rate * 60 : 0 }

  /// Makes one for changes that come every `hop` seconds.
  public init(hop: Double) {
    step = 2 * hop
    size = Int(Self.memory / step)
    changes = Array(repeating: 0, count: size)
    accents = changes
    tempi = TempoBelief(step: step)
    phases = PhaseBelief(step: step)
    change = TempoChange(step: step)
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
    if hasSound { lastSound = now }
    if isLocked, hasSound {
      let wasBetween = bars.isBetween
      let lead = lead(at: now)
      bars.take(pooled / (peaks + 0.5), at: grid(at: now))
      if bars.isBetween != wasBetween { (self.lead, leadTime) = (lead, now) }
    }
    if now >= nextEstimate {
      nextEstimate = now + Self.interval
      estimate(at: now, settings)
    }
  }

  /// Beats since the grid began, at a time in seconds of what was taken; not before the last time that was asked for.
  public func beats(at time: Double) -> Double { isLocked ? grid(at: time) + lead(at: time) : 0 }

  private func lead(at time: Double) -> Double {
    let most = 0.25 * rate * max(0, time - leadTime)
    return lead + max(-most, min(most, (bars.isBetween ? 0.5 : 0) - lead))
  }

  private func grid(at time: Double) -> Double {
    let slewing = min(time, slewEnd) - min(self.time, slewEnd)
    return beats + slewing * slewed + (time - self.time - slewing) * rate
  }

  /// The likeliest bar of one of these lengths, in beats: its length, a beat that it begins with, as `beats` counts them, and
  /// how sure that is, 0…1; nil without a grid, and where no such length can be heard.
  public func bar(of lengths: [Int]) -> (beats: Int, first: Double, confidence: Double)? {
    guard isLocked, let bar = bars.bar(of: lengths) else { return nil }
    return (bar.beats, Double(bar.first) + (bars.isBetween ? 1 : 0), bar.confidence)
  }

  /// Has a grid of so many beats a second, and moves it by so many beats as `follow` does; where there was none, it begins
  /// with so many. `now` is in seconds of what was taken.
  public mutating func steer(to rate: Double, by error: Double, at now: Double) {
    lastSure = now
    phases.clear()
    bars.clear()
    guard !isLocked else { return go(to: rate, by: error, at: now) }
    isLocked = true
    self.rate = rate
    (time, beats, slewEnd) = (now, error, now)
  }

  // MARK: - Estimates

  private mutating func estimate(at now: Double, _ settings: Settings) {
    let isQuiet = now - lastSound > Self.interval
    if isQuiet {
      strength = 0
      candidates.removeAll()
      if now - lastSure > settings.patience { forget() }
      return
    }
    let length = min(size, count - start)
    let signal = ordered(changes, length)
    let accents = ordered(accents, length)
    let window = Int(TempoChange.window / step)
    if isLocked, let period = change.look(at: Array(signal.suffix(window)), period: 1 / rate, settings) {
      return jump(to: period, Array(accents.suffix(window)), at: now)
    }
    guard let (period, strength) = tempi.take(signal, settings, followed: isLocked ? rate * 60 : nil) else {
      // A steady sound has no beat either.
      strength = 0
      if isLocked, now - lastSure > settings.patience { forget() }
      return
    }
    self.strength = max(0, min(1, strength))
    candidates.append(period)
    if candidates.count > 3 { candidates.removeFirst() }
    if strength >= (isLocked ? Self.unsure : Self.sure) { lastSure = now }
    let agreeing = candidates.filter { abs($0 / period - 1) < 0.04 }
    if isLocked {
      if now - lastSure > settings.patience { return forget() }
      let old = 1 / rate
      guard strength >= Self.unsure else { return }
      let isNear = abs(period / old - 1) < 0.04
      if isNear || (agreeing.count == 3 && strength >= Self.sure) {
        if !isNear {
          phases.clear()
          bars.clear()
        }
        follow(accents, isNear ? old + (period - old) * 0.5 : period, at: now)
      }
    } else if agreeing.count >= 2, strength >= Self.certain {
      isLocked = true
      rate = 1 / period
      phases.clear()
      bars = BarBelief()
      lead = 0
      // The last beat before now is number 0.
      (time, beats, slewEnd) = (now, phases.look(at: accents, period, grid: nil), now)
    }
  }

  /// Has no grid any more, and expects none.
  private mutating func forget() {
    isLocked = false
    tempi.clear()
    phases.clear()
  }

  /// Goes to another tempo; what was before the last accents has none of it.
  private mutating func jump(to period: Double, _ accents: [Float], at now: Double) {
    start = count - accents.count
    lastSure = now
    candidates.removeAll()
    tempi.move(by: 1 / (period * rate))
    phases.clear()
    follow(accents, period, at: now)
  }

  /// Goes to a period, and in the next second to where its beats are.
  private mutating func follow(_ accents: [Float], _ period: Double, at now: Double) {
    let here = grid(at: now)
    let grid = here - here.rounded(.down)
    var error = phases.look(at: accents, period, grid: grid) - grid
    error -= error.rounded()
    var rate = 1 / period
    // Seconds make a tempo late that moves: the last beats know better, where these are the beats.
    if abs(period * self.rate - 1) < 0.04, abs(error) < Self.near,
      let near = GridError(of: accents, beats: here, rate: self.rate, step: step)
    {
      error = -near.lead
      rate = 0.8 * self.rate + 0.2 * rate + 0.5 * near.drift
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
}
