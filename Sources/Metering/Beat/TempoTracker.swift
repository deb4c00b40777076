#if canImport(Glibc)
  import Glibc
#endif

/// Finds beats by how like itself music is after a beat, two and four. [one]
///
/// Twice a second the autocorrelation of the last 8 s, read at multiples of a period, speaks for a tempo, and the changes
/// folded to that period for a place of the beat. Both are believed by what spoke for them over the last seconds. Which
/// beats are meant is decided by seconds; how fast they come and where they are, by the accents near the last few.
struct TempoTracker: Sendable {
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

  private let step: Double
  private var tempi: TempoBelief
  private var phases: PhaseBelief
  private var change: TempoChange
  private(set) var bars = BarBelief()
  /// How many beats those that are meant were before those of the grid at `leadTime`; they go to where they belong by a
  /// quarter faster or slower.
  private var lead = 0.0
  private var leadTime = 0.0
  /// From which change on they are of one tempo.
  private var start = 0
  private var nextEstimate = first
  private var candidates: [Double] = []
  private var lastSure = -Double.infinity
  private var lastSound = -Double.infinity
  private(set) var grid = BeatGrid()

  /// Whether there is a grid.
  private(set) var isLocked = false
  /// How strongly the last estimate spoke for its tempo, 0…1.
  private(set) var strength = 0.0

  /// Makes one for changes `step` seconds apart.
  init(step: Double) {
    self.step = step
    tempi = TempoBelief(step: step)
    phases = PhaseBelief(step: step)
    change = TempoChange(step: step)
  }

  /// Hears the last of these changes, whose shares these are.
  mutating func hear(
    _ shares: SIMD3<Float>, of changes: BeatChanges, hasSound: Bool, _ settings: BeatSettings
  ) {
    let now = changes.now
    if hasSound { lastSound = now }
    if isLocked, hasSound {
      let wasBetween = bars.isBetween
      let lead = lead(at: now)
      bars.take(shares, at: grid.beats(at: now))
      if bars.isBetween != wasBetween { (self.lead, leadTime) = (lead, now) }
    }
    if now >= nextEstimate {
      nextEstimate = now + Self.interval
      estimate(changes, settings)
    }
  }

  /// Hears the levels of semitones at a time in seconds of what was taken.
  mutating func hear(harmony levels: [Float], at time: Double) {
    if isLocked { bars.take(harmony: levels, at: grid.beats(at: time)) }
  }

  /// Beats since the grid began, at a time in seconds of what was taken; not before the last time that was asked for.
  func beats(at time: Double) -> Double { grid.beats(at: time) + lead(at: time) }

  private func lead(at time: Double) -> Double {
    BeatGrid.slew(lead, to: bars.isBetween ? 0.5 : 0, rate: grid.rate, seconds: time - leadTime)
  }

  /// The likeliest bar of one of these lengths.
  func bar(of lengths: [Int]) -> (beats: Int, first: Double, confidence: Double)? {
    guard isLocked, let bar = bars.bar(of: lengths) else { return nil }
    return (bar.beats, Double(bar.first) + (bars.isBetween ? 1 : 0), bar.confidence)
  }

  /// Goes to so many beats a second, and by so many beats.
  mutating func steer(to rate: Double, by error: Double, at now: Double) {
    lastSure = now
    phases.clear()
    bars.clear()
    grid.go(to: rate, by: error, at: now)
  }

  /// Has a grid of so many beats a second that had so many beats.
  mutating func begin(with beats: Double, rate: Double, at now: Double) {
    isLocked = true
    lastSure = now
    phases.clear()
    bars = BarBelief()
    lead = 0
    grid.begin(with: beats, rate: rate, at: now)
  }

  // MARK: - Estimates

  private mutating func estimate(_ changes: BeatChanges, _ settings: BeatSettings) {
    let now = changes.now
    if now - lastSound > Self.interval {
      strength = 0
      candidates.removeAll()
      if now - lastSure > settings.patience { forget() }
      return
    }
    let length = min(changes.size, changes.count - start)
    let signal = changes.signal(length)
    let accents = changes.accents(length)
    let window = Int(TempoChange.window / step)
    if isLocked,
      let period = change.look(at: Array(signal.suffix(window)), period: 1 / grid.rate, settings)
    {
      start = changes.count - min(window, length)
      return jump(to: period, Array(accents.suffix(window)), at: now)
    }
    guard let (period, strength) = tempi.take(signal, settings, followed: isLocked ? grid.rate * 60 : nil)
    else {
      // A steady sound has no beat either.
      strength = 0
      if isLocked, now - lastSure > settings.patience { forget() }
      return
    }
    self.strength = max(0, min(1, strength))
    candidates.append(period)
    if candidates.count > 3 { candidates.removeFirst() }
    if strength >= (isLocked ? Self.unsure : Self.sure) { lastSure = now }
    let agreeing = candidates.filter { abs($0 / period - 1) < 0.04 }.count
    if isLocked {
      if now - lastSure > settings.patience { return forget() }
      let old = 1 / grid.rate
      guard strength >= Self.unsure else { return }
      let isNear = abs(period / old - 1) < 0.04
      if isNear || (agreeing == 3 && strength >= Self.sure) {
        if !isNear {
          phases.clear()
          bars.clear()
        }
        follow(accents, isNear ? old + (period - old) * 0.5 : period, at: now)
      }
    } else if agreeing >= 2, strength >= Self.certain {
      phases.clear()
      // The last beat before now is number 0.
      let phase = phases.look(at: accents, period, grid: nil)
      let remembered = phases
      begin(with: phase, rate: 1 / period, at: now)
      phases = remembered
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
    lastSure = now
    candidates.removeAll()
    tempi.move(by: 1 / (period * grid.rate))
    phases.clear()
    follow(accents, period, at: now)
  }

  /// Goes to a period, and in the next second to where its beats are.
  private mutating func follow(_ accents: [Float], _ period: Double, at now: Double) {
    let here = grid.beats(at: now)
    let phase = here - here.rounded(.down)
    var error = phases.look(at: accents, period, grid: phase) - phase
    error -= error.rounded()
    var rate = 1 / period
    // Seconds make a tempo late that moves: the last beats know better, where these are the beats.
    if abs(period * grid.rate - 1) < 0.04, abs(error) < Self.near,
      let near = GridError(of: accents, beats: here, rate: grid.rate, step: step)
    {
      error = -near.lead
      rate = 0.8 * grid.rate + 0.2 * rate + 0.5 * near.drift
    }
    grid.go(to: rate, by: error, at: now)
  }
}
