#if canImport(Glibc)
  import Glibc
#endif

/// Tracks the tempo and the beats of music from its onset strength. [one]
///
/// Two trackers run side by side: `RhythmTracker` decodes learned rhythm patterns, and `TempoTracker` uses the
/// autocorrelation. The beats are those of the tracker that is likelier to be right. After a switch they move to those
/// of the other tracker by running up to a quarter faster or slower, and never step.
public struct BeatTracker: Sendable {
  /// The range of tempi to look for.
  public typealias Settings = BeatSettings

  /// The seconds between two comparisons of the trackers.
  private static let interval = 0.25
  /// The log-odds for the other tracker, in nats, that cause a switch.
  private static let switchMargin = 0.5
  /// The gain of the rhythm tracker, in nats a second, above which the autocorrelation alone may lock. The sound of
  /// detuned strings beats for seconds and has a high autocorrelation, but a gain below this.
  private static let minimumGain = 0.0
  /// The tolerances within which the trackers agree: of positions, in beats, and of tempi, as a ratio.
  private static let (phaseTolerance, tempoTolerance) = (0.12, 0.05)

  private var changes: BeatChanges
  private var byTempo: TempoTracker
  private var byRhythm: RhythmTracker
  private var isByRhythm = false
  private var nextChoice = 0.0
  /// The log-odds for the rhythm tracker, in nats, averaged over the last comparisons.
  private var rhythmPreference = 0.0
  private var agrees = false
  /// The beats to add to the count of the current tracker so that no switch changes the count: a whole number, and a
  /// remainder. The remainder was `lead` at `leadTime`, in seconds, and slews to 0.
  private var offset = 0.0
  private var lead = 0.0
  private var leadTime = 0.0

  /// Whether there is a beat grid.
  public private(set) var isLocked = false
  /// The probability that a beat is where the grid has one, 0…1; 0 without a grid. The coefficients of this logistic
  /// model were fitted to generated pieces of trial seeds 1 and 2, and to pieces of one or two drums.
  public var confidence: Double {
    guard isLocked else { return 0 }
    let certainty = log(1 + max(0, isByRhythm ? byRhythm.bars.certainty : byTempo.bars.certainty))
    let odds =
      isByRhythm
      ? 0.7 + (agrees ? 2.2 : 0) + 0.32 * certainty
      : -1.2 + (agrees ? 1.5 : 0) + 0.33 * byTempo.strength + 0.43 * certainty
    return 1 / (1 + exp(-odds))
  }
  /// The tempo in beats a minute; 0 without a grid.
  public var tempo: Double { isLocked ? rate * 60 : 0 }

  private var rate: Double { isByRhythm ? byRhythm.grid.rate : byTempo.grid.rate }
  /// Returns the log-odds, in nats, that the rhythm tracker is right and the other wrong. Evidence that the beats lie
  /// half-way between those of the rhythm tracker counts against it only if the tempi differ: at one tempo, off-beats
  /// sound like that. The coefficients were fitted to generated pieces of trial seeds.
  private func preference(isSameTempo: Bool) -> Double {
    let certainty = byRhythm.bars.certainty
    let byRhythms = 0.41 * max(-3, byRhythm.gain) + 0.65 * log(1 + max(0, certainty))
    return byRhythms - 2.1 - (isSameTempo ? 0 : 0.8 * log(1 + max(0, -certainty)))
  }

  /// Makes a tracker for flux values that arrive every `hop` seconds.
  public init(hop: Double) {
    changes = BeatChanges(hop: hop)
    byTempo = TempoTracker(step: changes.step)
    byRhythm = RhythmTracker(step: changes.step)
  }

  /// Takes the flux of the next hop in three bands (`SpectralFlux.attacks`). `hasSound` is false below the gate; the
  /// flux does not count then.
  public mutating func take(_ parts: SIMD3<Float>, hasSound: Bool, _ settings: Settings) {
    guard let shares = changes.take(parts, hasSound: hasSound) else { return }
    byTempo.hear(shares, of: changes, hasSound: hasSound, settings)
    byRhythm.hear(shares, of: changes, hasSound: hasSound, settings)
    let now = changes.now
    guard byTempo.isLocked || byRhythm.isLocked else {
      isLocked = false
      return
    }
    guard isLocked else {
      let hasRhythm = byRhythm.isLocked && (byRhythm.hasEnoughOnsets || !byTempo.isLocked)
      if hasRhythm || byRhythm.gain > Self.minimumGain { lock(at: now, byRhythm: hasRhythm) }
      return
    }
    if isByRhythm ? !byRhythm.isLocked : !byTempo.isLocked { return switchTracker(at: now) }
    if now >= nextChoice, byTempo.isLocked, byRhythm.isLocked {
      nextChoice = now + Self.interval
      choose(at: now)
    }
  }

  /// Takes levels of semitones (`SemitoneLevels`), heard `seconds` before the end of the last hop.
  public mutating func take(harmony levels: [Float], late seconds: Double) {
    byTempo.hear(harmony: levels, at: changes.now - seconds)
    byRhythm.hear(harmony: levels, at: changes.now - seconds)
  }

  /// Returns the beats since the grid began, at a time in seconds since the first hop; 0 without a grid. Times must not
  /// decrease from call to call.
  public func beats(at time: Double) -> Double {
    isLocked ? activeBeats(at: time) + offset + lead(at: time) : 0
  }

  private func activeBeats(at time: Double) -> Double {
    isByRhythm ? byRhythm.beats(at: time) : byTempo.beats(at: time)
  }

  private func lead(at time: Double) -> Double {
    BeatGrid.slew(lead, to: 0, rate: rate, seconds: time - leadTime)
  }

  /// Returns the likeliest bar of one of these lengths, in beats: its length, a downbeat as `beats` counts them, and
  /// the confidence, 0…1. nil without a grid, and if none of these lengths can be found.
  public func bar(of lengths: [Int]) -> (beats: Int, first: Double, confidence: Double)? {
    guard isLocked, let bar = isByRhythm ? byRhythm.bar(of: lengths) : byTempo.bar(of: lengths) else {
      return nil
    }
    return (bar.beats, bar.first + offset, bar.confidence)
  }

  /// Sets the tempo to `rate` beats a second and moves the grid by `error` beats. Without a grid, one begins with a
  /// count of `error` beats. `now` is in seconds since the first hop.
  public mutating func steer(to rate: Double, by error: Double, at now: Double) {
    guard isLocked else {
      byTempo.begin(with: error, rate: rate, at: now)
      byRhythm.begin(with: error, rate: rate, at: now)
      return lock(at: now, byRhythm: false)
    }
    let there = activeBeats(at: now) + lead(at: now) + error
    if isByRhythm {
      byRhythm.steer(to: rate, by: error, at: now)
      byTempo.begin(with: there, rate: rate, at: now)
    } else {
      byTempo.steer(to: rate, by: error, at: now)
      byRhythm.begin(with: there, rate: rate, at: now)
    }
  }

  private mutating func lock(at now: Double, byRhythm: Bool) {
    (isLocked, isByRhythm, agrees) = (true, byRhythm, false)
    (offset, lead, leadTime, rhythmPreference) = (0, 0, now, 0)
  }

  /// Switches to the other tracker if the log-odds for it are above the margin.
  private mutating func choose(at now: Double) {
    let difference = byRhythm.beats(at: now) - byTempo.beats(at: now)
    let isSameTempo = abs(byRhythm.grid.rate / byTempo.grid.rate - 1) < Self.tempoTolerance
    agrees = isSameTempo && abs(difference - difference.rounded()) < Self.phaseTolerance
    rhythmPreference = 0.5 * rhythmPreference + 0.5 * preference(isSameTempo: isSameTempo)
    guard byRhythm.hasEnoughOnsets else {
      if isByRhythm { switchTracker(at: now) }
      return
    }
    if (isByRhythm ? -rhythmPreference : rhythmPreference) > Self.switchMargin { switchTracker(at: now) }
  }

  /// Switches to the other tracker. The beats slew from those of the old tracker to those of the new one.
  private mutating func switchTracker(at now: Double) {
    let here = beats(at: now)
    isByRhythm.toggle()
    let difference = here - activeBeats(at: now)
    (offset, leadTime) = (difference.rounded(), now)
    lead = difference - offset
  }
}
