#if canImport(Glibc)
  import Glibc
#endif

/// Tracks beats by autocorrelation. [one]
///
/// Twice a second, the autocorrelation of the changes of the last 8 s rates tempo hypotheses (`TempoBelief`), and
/// folding the accents by the beat period gives the phase (`PhaseBelief`). Both are averaged over several seconds.
/// These decide which beats to follow. The exact tempo and position come from the accents near the last beats
/// (`GridError`).
struct TempoTracker: Sendable {
  /// The seconds between two estimates, and before the first.
  private static let interval = 0.5
  private static let firstEstimate = 2.5
  /// Thresholds of the autocorrelation (`TempoBelief.rating`): to lock, to change to another tempo, and to confirm the
  /// grid. Speech and pads reach 0.24 now and then, but not 0.4.
  private static let lockThreshold = 0.4
  private static let changeThreshold = 0.24
  private static let confirmThreshold = 0.12
  /// The greatest distance of the estimated phase from the grid, in beats, at which the grid is taken to follow the
  /// right beats.
  private static let phaseTolerance = 0.15

  private let step: Double
  private var tempi: TempoBelief
  private var phases: PhaseBelief
  private var change: TempoChange
  private(set) var bars = BarBelief()
  /// The beats to add to the count of the grid, at `offsetTime` in seconds. They slew by a quarter of the tempo to ½ if
  /// the true beats lie half-way between those of the grid (`BarBelief.isBetween`), else to 0.
  private var offset = 0.0
  private var offsetTime = 0.0
  /// The number of the first step after the last change of tempo.
  private var firstStep = 0
  private var nextEstimate = firstEstimate
  private var candidates: [Double] = []
  private var lastConfirmed = -Double.infinity
  private var lastSound = -Double.infinity
  private(set) var grid = BeatGrid()

  /// Whether there is a beat grid.
  private(set) var isLocked = false
  /// The rating of the last estimated tempo, 0…1.
  private(set) var strength = 0.0

  /// Makes a tracker for changes `step` seconds apart.
  init(step: Double) {
    self.step = step
    tempi = TempoBelief(step: step)
    phases = PhaseBelief(step: step)
    change = TempoChange(step: step)
  }

  /// Takes the newest of these changes; `shares` is the same change, for each band as a share of its recent peak.
  mutating func hear(
    _ shares: SIMD3<Float>, of changes: BeatChanges, hasSound: Bool, _ settings: BeatSettings
  ) {
    let now = changes.now
    if hasSound { lastSound = now }
    if isLocked, hasSound {
      let wasBetween = bars.isBetween
      let offset = offset(at: now)
      bars.take(shares, at: grid.beats(at: now))
      if bars.isBetween != wasBetween { (self.offset, offsetTime) = (offset, now) }
    }
    if now >= nextEstimate {
      nextEstimate = now + Self.interval
      estimate(changes, settings)
    }
  }

  /// Takes the levels of semitones, heard at a time in seconds since the first hop.
  mutating func hear(harmony levels: [Float], at time: Double) {
    if isLocked { bars.take(harmony: levels, at: grid.beats(at: time)) }
  }

  /// Returns the beats since the grid began, at a time in seconds since the first hop. Times must not decrease from
  /// call to call.
  func beats(at time: Double) -> Double { grid.beats(at: time) + offset(at: time) }

  private func offset(at time: Double) -> Double {
    BeatGrid.slew(offset, to: bars.isBetween ? 0.5 : 0, rate: grid.rate, seconds: time - offsetTime)
  }

  /// Returns the likeliest bar of one of these lengths: its length, a downbeat as `beats` counts them, and the
  /// confidence, 0…1; nil without a grid, and if none of these lengths can be found.
  func bar(of lengths: [Int]) -> (beats: Int, first: Double, confidence: Double)? {
    guard isLocked, let bar = bars.bar(of: lengths) else { return nil }
    return (bar.beats, Double(bar.first) + (bars.isBetween ? 1 : 0), bar.confidence)
  }

  /// Sets the tempo to `rate` beats a second and moves the grid by `error` beats within the next second.
  mutating func steer(to rate: Double, by error: Double, at now: Double) {
    lastConfirmed = now
    phases.clear()
    bars.clear()
    grid.go(to: rate, by: error, at: now)
  }

  /// Starts a grid with a count of `beats` and a tempo of `rate` beats a second.
  mutating func begin(with beats: Double, rate: Double, at now: Double) {
    isLocked = true
    lastConfirmed = now
    phases.clear()
    bars = BarBelief()
    offset = 0
    grid.begin(with: beats, rate: rate, at: now)
  }

  // MARK: - Estimates

  private mutating func estimate(_ changes: BeatChanges, _ settings: BeatSettings) {
    let now = changes.now
    if now - lastSound > Self.interval {
      strength = 0
      candidates.removeAll()
      if now - lastConfirmed > settings.patience { forget() }
      return
    }
    let length = min(changes.size, changes.count - firstStep)
    let signal = changes.signal(length)
    let accents = changes.accents(length)
    let window = Int(TempoChange.window / step)
    if isLocked,
      let period = change.look(at: Array(signal.suffix(window)), period: 1 / grid.rate, settings)
    {
      firstStep = changes.count - min(window, length)
      return jump(to: period, Array(accents.suffix(window)), at: now)
    }
    guard let (period, strength) = tempi.take(signal, settings, followed: isLocked ? grid.rate * 60 : nil)
    else {
      // A steady sound has no beat.
      strength = 0
      if isLocked, now - lastConfirmed > settings.patience { forget() }
      return
    }
    self.strength = max(0, min(1, strength))
    candidates.append(period)
    if candidates.count > 3 { candidates.removeFirst() }
    if strength >= (isLocked ? Self.confirmThreshold : Self.changeThreshold) { lastConfirmed = now }
    let agreeing = candidates.filter { abs($0 / period - 1) < 0.04 }.count
    if isLocked {
      if now - lastConfirmed > settings.patience { return forget() }
      let old = 1 / grid.rate
      guard strength >= Self.confirmThreshold else { return }
      let isNear = abs(period / old - 1) < 0.04
      if isNear || (agreeing == 3 && strength >= Self.changeThreshold) {
        if !isNear {
          phases.clear()
          bars.clear()
        }
        follow(accents, isNear ? old + (period - old) * 0.5 : period, at: now)
      }
    } else if agreeing >= 2, strength >= Self.lockThreshold {
      phases.clear()
      // The last beat before now becomes beat 0.
      let phase = phases.look(at: accents, period, grid: nil)
      let remembered = phases
      begin(with: phase, rate: 1 / period, at: now)
      phases = remembered
    }
  }

  /// Drops the grid and all evidence.
  private mutating func forget() {
    isLocked = false
    tempi.clear()
    phases.clear()
  }

  /// Changes to another tempo. Only `accents` are of the new tempo, so all older evidence for the phase is dropped.
  private mutating func jump(to period: Double, _ accents: [Float], at now: Double) {
    lastConfirmed = now
    candidates.removeAll()
    tempi.move(by: 1 / (period * grid.rate))
    phases.clear()
    follow(accents, period, at: now)
  }

  /// Sets the beat period in seconds, and moves the grid to the estimated phase within the next second.
  private mutating func follow(_ accents: [Float], _ period: Double, at now: Double) {
    let here = grid.beats(at: now)
    let phase = here - here.rounded(.down)
    var error = phases.look(at: accents, period, grid: phase) - phase
    error -= error.rounded()
    var rate = 1 / period
    // Averages over seconds lag behind a moving tempo. The accents of the last beats are more exact if the grid is
    // already near the right beats.
    if abs(period * grid.rate - 1) < 0.04, abs(error) < Self.phaseTolerance,
      let near = GridError(of: accents, beats: here, rate: grid.rate, step: step)
    {
      error = -near.lead
      rate = 0.8 * grid.rate + 0.2 * rate + 0.5 * near.drift
    }
    grid.go(to: rate, by: error, at: now)
  }
}
