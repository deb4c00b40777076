#if canImport(Glibc)
  import Glibc
#endif

/// Tracks beats by learned rhythm patterns: four times a second it takes the likeliest beats from `BeatDecoder`. [one]
struct RhythmTracker: Sendable {
  /// The seconds between two estimates; the seconds of sound before an early lock; and those before a regular lock,
  /// which needs less evidence.
  private static let interval = 0.25
  private static let earliestLock = 1.25
  private static let regularLock = 2.25
  /// Thresholds of the autocorrelation (`TempoBelief.rating`), to lock and to confirm the grid. Speech reaches 0.38 now
  /// and then.
  private static let lockThreshold = 0.42
  private static let confirmThreshold = 0.12
  /// The gain needed to lock, in nats a second.
  private static let lockGain = 1.5
  /// Thresholds for an early lock: of the autocorrelation where two estimates agree, and where three do, and of the
  /// gain in nats a second. Drums that repeat exactly reach them at once. Speech reached an autocorrelation of 0.65 in
  /// two cases.
  private static let (earlyThreshold, earlyThresholdOfThree, earlyGain) = (0.75, 0.68, 3.0)
  private static let scoreCount = 12
  /// The greatest emptiness (`emptiness`) at which the learned rhythms apply. Music of several instruments is below it
  /// in 99 of 100 seconds. One or two drums alone are above it.
  private static let maximumEmptiness = 0.91
  /// The time constant of `emptiness`, in seconds.
  private static let memory = 3.0
  /// The greatest distance of the estimated phase from the grid, in beats, at which the grid is taken to follow the
  /// right beats.
  private static let phaseTolerance = 0.1
  /// The delay from an onset to the maximum of its change, in seconds.
  private static let latency = 0.012
  /// The seconds without an onset after which estimates no longer confirm the grid.
  private static let pause = 1.0
  /// The seconds without an onset after which the decoder starts anew: what follows is probably another piece or
  /// another section.
  private static let resetPause = 2.5
  /// The bonus, in nats, of hypotheses on the current grid when the decoder starts; and on a grid that was tapped.
  private static let (gridBonus, tappedBonus) = (5.0, 10.0)

  private let step: Double
  private var decoder: BeatDecoder?
  /// When the decoder started, in seconds since the first hop, and the settings that it has.
  private(set) var decoderStart = 0.0
  private var decoderSettings: BeatSettings?
  /// The scores of the decoder at the last estimates, in nats.
  private var scores: [Double] = []
  private var bonus = gridBonus
  private(set) var bars = BarBelief(isFixed: true)
  /// The number of the first step after the last change of tempo.
  private var firstStep = 0
  private var nextEstimate = 0.0
  private var candidates: [Double] = []
  private var lastConfirmed = -Double.infinity
  private var lastOnset = -Double.infinity
  private(set) var grid = BeatGrid()

  /// Whether there is a beat grid.
  private(set) var isLocked = false
  /// The gain: the growth of the decoder's log-likelihood ratio, beats of learned rhythms against sound without a beat,
  /// in nats a second over the last 12 estimates (2.75 s).
  private(set) var gain = 0.0
  /// The share of recent steps without an onset in any band, 0…1. It is high where few instruments play; the learned
  /// rhythms do not apply to these.
  private(set) var emptiness = 0.0
  /// Whether there are enough onsets for the learned rhythms to apply.
  var hasEnoughOnsets: Bool { emptiness < Self.maximumEmptiness }
  /// The autocorrelation at the last estimated tempo, 0…1.
  private(set) var strength = 0.0

  /// Makes a tracker for changes `step` seconds apart.
  init(step: Double) { self.step = step }

  /// Takes the newest of these changes; `shares` is the same change, for each band as a share of its recent peak.
  mutating func hear(
    _ shares: SIMD3<Float>, of changes: BeatChanges, hasSound: Bool, _ settings: BeatSettings
  ) {
    let now = changes.now
    let isEmpty = !hasSound || RhythmPatterns.symbol(shares) == 0
    if !isEmpty { lastOnset = now }
    emptiness +=
      max(1 - exp(-step / Self.memory), 1 / Double(changes.count)) * ((isEmpty ? 1 : 0) - emptiness)
    decode(hasSound ? shares : nil, at: now, settings)
    if isLocked, hasSound { bars.take(shares, at: grid.beats(at: now)) }
    if now >= nextEstimate {
      nextEstimate = now + Self.interval
      estimate(changes, settings)
    }
  }

  /// Takes the levels of semitones, heard at a time in seconds since the first hop.
  mutating func hear(harmony levels: [Float], at time: Double) {
    if isLocked { bars.take(harmony: levels, at: grid.beats(at: time)) }
  }

  /// Returns the beats since the grid began, at a time in seconds since the first hop.
  func beats(at time: Double) -> Double { grid.beats(at: time) }

  /// Returns the likeliest bar of one of these lengths: its length, a downbeat as `beats` counts them, and the
  /// confidence, 0…1; nil without a grid, and if none of these lengths can be found.
  func bar(of lengths: [Int]) -> (beats: Int, first: Double, confidence: Double)? {
    guard isLocked, let bar = bars.bar(of: lengths) else { return nil }
    return (bar.beats, Double(bar.first), bar.confidence)
  }

  /// Sets the tempo to `rate` beats a second and moves the grid by `error` beats within the next second.
  mutating func steer(to rate: Double, by error: Double, at now: Double) {
    grid.go(to: rate, by: error, at: now)
    expect(at: now)
  }

  /// Starts a grid with a count of `beats` and a tempo of `rate` beats a second.
  mutating func begin(with beats: Double, rate: Double, at now: Double) {
    isLocked = true
    grid.begin(with: beats, rate: rate, at: now)
    expect(at: now)
  }

  private mutating func expect(at now: Double) {
    lastConfirmed = now
    decoder = nil
    bonus = Self.tappedBonus
    bars.clear()
  }

  // MARK: - Estimates

  /// Passes a change to the decoder; nil without sound. A new decoder starts when sound begins and when the settings
  /// change.
  private mutating func decode(_ changes: SIMD3<Float>?, at now: Double, _ settings: BeatSettings) {
    if now - lastOnset > Self.resetPause || decoderSettings != settings || decoder?.isUsedUp == true {
      decoder = nil
    }
    guard now - lastOnset <= Self.resetPause else { return }
    if decoder == nil {
      decoder = BeatDecoder(
        step: step, slowest: settings.slowest, fastest: settings.fastest, hint: settings.hint,
        grid: isLocked ? (1 / grid.rate, grid.phase(at: now - step) / grid.rate, bonus) : nil)
      (decoderStart, decoderSettings, bonus) = (now - step, settings, Self.gridBonus)
      scores.removeAll()
      candidates.removeAll()
    }
    decoder?.take(changes)
  }

  private mutating func estimate(_ changes: BeatChanges, _ settings: BeatSettings) {
    let now = changes.now
    if isLocked, now - lastConfirmed > settings.patience { forget() }
    strength = 0
    guard let path = decoder?.path() else { return }
    let (period, last) = line(through: path)
    scores.append(Double(path.score) / Double(RhythmPatterns.nat))
    if scores.count > Self.scoreCount { scores.removeFirst() }
    let seconds = Double(scores.count - 1) * Self.interval
    gain = seconds > 0 ? (scores[scores.count - 1] - scores[0]) / seconds : 0
    guard now - decoderStart >= Self.earliestLock || isLocked else { return }
    let signal = changes.signal(
      min(changes.size, changes.count - firstStep, Int((now - decoderStart) / step)))
    strength = max(0, min(1, TempoBelief.periodicity(signal, after: period / step)))
    candidates.append(period)
    if candidates.count > 3 { candidates.removeFirst() }
    let agreeing = candidates.filter { abs($0 / period - 1) < 0.04 }
    if isLocked {
      if strength >= Self.confirmThreshold, gain > 0, now - lastOnset <= Self.pause { lastConfirmed = now }
      if abs(period * grid.rate - 1) >= 0.04 {
        bars.clear()
        firstStep = max(firstStep, changes.count - Int(Self.resetPause / step))
      }
      follow(period, last, changes)
    } else if isBeat(agreeing.count, after: now - decoderStart) {
      isLocked = true
      lastConfirmed = now
      bars.clear()
      // The last beat before now becomes beat 0.
      let beats = (now - last) / period
      grid.begin(with: beats - beats.rounded(.down), rate: 1 / period, at: now)
    }
  }

  /// Whether the evidence suffices to lock. `agreeing` is the number of the last three estimates with the same tempo,
  /// and `seconds` the time since the decoder started.
  private func isBeat(_ agreeing: Int, after seconds: Double) -> Bool {
    guard hasEnoughOnsets, agreeing >= 2 else { return false }
    if seconds >= Self.regularLock { return strength >= Self.lockThreshold && gain >= Self.lockGain }
    return strength >= (agreeing >= 3 ? Self.earlyThresholdOfThree : Self.earlyThreshold)
      && gain >= Self.earlyGain
  }

  /// Returns the beat period and the time of the last beat, in seconds, from a least-squares line through the last
  /// beats of the path. The patterns begin 1/16 of a beat before the beat (`RhythmPatterns`), which is added here.
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
    return (slope * step, decoderStart + (last + slope / 16) * step - Self.latency)
  }

  /// Drops the grid and the decoder.
  private mutating func forget() {
    isLocked = false
    decoder = nil
  }

  /// Sets the beat period in seconds, and moves the grid within the next second so that it has a beat at `last`.
  private mutating func follow(_ period: Double, _ last: Double, _ changes: BeatChanges) {
    let now = changes.now
    let here = grid.beats(at: now)
    var error = (now - last) / period - here
    error -= error.rounded()
    var rate = 1 / period
    // Averages over seconds lag behind a moving tempo. The accents of the last beats are more exact if the grid is
    // already near the right beats.
    let length = min(changes.size, changes.count - firstStep)
    if abs(period * grid.rate - 1) < 0.04, abs(error) < Self.phaseTolerance,
      let near = GridError(of: changes.accents(length), beats: here, rate: grid.rate, step: step)
    {
      error = -near.lead
      rate = 0.9 * grid.rate + 0.1 * rate + 0.25 * near.drift
    }
    grid.go(to: rate, by: error, at: now)
  }
}
