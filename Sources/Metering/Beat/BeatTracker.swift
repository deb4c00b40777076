#if canImport(Glibc)
  import Glibc
#endif

/// Finds the tempo of music and where its beats fall, from its changes. [one]
///
/// Two trackers hear the changes: `RhythmTracker` knows rhythms, `TempoTracker` hears how like itself music is. Beats are where
/// that has them which is surer to be right. Where they go from one's beats to the other's, they run a little faster or slower:
/// they never step.
public struct BeatTracker: Sendable {
  /// What it looks for.
  public typealias Settings = BeatSettings

  /// Seconds from one choice to the next.
  private static let interval = 0.25
  /// How much has to speak for the other tracker, in nats.
  private static let margin = 0.5
  /// How much less likely beats of a known rhythm may be than sound without a beat, in nats a second, where music like itself has a
  /// beat: strings that swing are like themselves for seconds, and have less.
  private static let least = 0.0
  /// How far apart two beats are the same, in beats, and two tempi, as a share.
  private static let (near, alike) = (0.12, 0.05)

  private var changes: BeatChanges
  private var byTempo: TempoTracker
  private var byRhythm: RhythmTracker
  private var isByRhythm = false
  private var nextChoice = 0.0
  /// What speaks for rhythms and against the other, in nats, over the last choices.
  private var favor = 0.0
  private var agrees = false
  /// How many beats those that are told are before those of the tracker that is believed: whole ones, and those at `leadTime`
  /// that are still to go, a quarter faster or slower.
  private var offset = 0.0
  private var lead = 0.0
  private var leadTime = 0.0

  /// Whether there is a grid.
  public private(set) var isLocked = false
  /// How likely a beat is where the grid has one, 0…1; 0 without a grid. The terms were fitted on pieces
  /// of trial seeds 1 and 2, beside pieces of a drum or two.
  public var confidence: Double {
    guard isLocked else { return 0 }
    let certainty = log(1 + max(0, isByRhythm ? byRhythm.bars.certainty : byTempo.bars.certainty))
    let odds =
      isByRhythm
      ? 0.7 + (agrees ? 2.2 : 0) + 0.32 * certainty
      : -1.2 + (agrees ? 1.5 : 0) + 0.33 * byTempo.strength + 0.43 * certainty
    return 1 / (1 + exp(-odds))
  }
  /// Beats a minute; 0 where there is no grid.
  public var tempo: Double { isLocked ? rate * 60 : 0 }

  private var rate: Double { isByRhythm ? byRhythm.grid.rate : byTempo.grid.rate }
  /// What speaks for rhythms now, and against the other, in nats. Where both have one tempo, beats half-way between those of a
  /// rhythm are what off-beats sound like, and count for nothing. The terms were fitted on pieces of trial seeds.
  private func preference(isSameTempo: Bool) -> Double {
    let certainty = byRhythm.bars.certainty
    let byRhythms = 0.41 * max(-3, byRhythm.gain) + 0.65 * log(1 + max(0, certainty))
    return byRhythms - 2.1 - (isSameTempo ? 0 : 0.8 * log(1 + max(0, -certainty)))
  }

  /// Makes one for changes that come every `hop` seconds.
  public init(hop: Double) {
    changes = BeatChanges(hop: hop)
    byTempo = TempoTracker(step: changes.step)
    byRhythm = RhythmTracker(step: changes.step)
  }

  /// Takes the change of the next hop. Sound below a gate has none.
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
      let hasRhythm = byRhythm.isLocked && (byRhythm.isKnown || !byTempo.isLocked)
      if hasRhythm || byRhythm.gain > Self.least { lock(at: now, byRhythm: hasRhythm) }
      return
    }
    if isByRhythm ? !byRhythm.isLocked : !byTempo.isLocked { return turn(at: now) }
    if now >= nextChoice, byTempo.isLocked, byRhythm.isLocked {
      nextChoice = now + Self.interval
      choose(at: now)
    }
  }

  /// Takes levels of semitones, which were heard so many seconds before the end of what was taken last.
  public mutating func take(harmony levels: [Float], late seconds: Double) {
    byTempo.hear(harmony: levels, at: changes.now - seconds)
    byRhythm.hear(harmony: levels, at: changes.now - seconds)
  }

  /// Beats since the grid began, at a time in seconds of what was taken; not before the last time that was asked for.
  public func beats(at time: Double) -> Double {
    isLocked ? believed(at: time) + offset + lead(at: time) : 0
  }

  private func believed(at time: Double) -> Double {
    isByRhythm ? byRhythm.beats(at: time) : byTempo.beats(at: time)
  }

  private func lead(at time: Double) -> Double {
    BeatGrid.slew(lead, to: 0, rate: rate, seconds: time - leadTime)
  }

  /// The likeliest bar of one of these lengths, in beats: its length, a beat that it begins with, as `beats` counts them, and
  /// how sure that is, 0…1; nil without a grid, and where no such length can be heard.
  public func bar(of lengths: [Int]) -> (beats: Int, first: Double, confidence: Double)? {
    guard isLocked, let bar = isByRhythm ? byRhythm.bar(of: lengths) : byTempo.bar(of: lengths) else {
      return nil
    }
    return (bar.beats, bar.first + offset, bar.confidence)
  }

  /// Has a grid of so many beats a second, and moves it by so many beats; where there was none, it begins with so many. `now` is
  /// in seconds of what was taken.
  public mutating func steer(to rate: Double, by error: Double, at now: Double) {
    guard isLocked else {
      byTempo.begin(with: error, rate: rate, at: now)
      byRhythm.begin(with: error, rate: rate, at: now)
      return lock(at: now, byRhythm: false)
    }
    let there = believed(at: now) + lead(at: now) + error
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
    (offset, lead, leadTime, favor) = (0, 0, now, 0)
  }

  /// Believes the other tracker where that is surer.
  private mutating func choose(at now: Double) {
    let apart = byRhythm.beats(at: now) - byTempo.beats(at: now)
    let isSameTempo = abs(byRhythm.grid.rate / byTempo.grid.rate - 1) < Self.alike
    agrees = isSameTempo && abs(apart - apart.rounded()) < Self.near
    favor = 0.5 * favor + 0.5 * preference(isSameTempo: isSameTempo)
    guard byRhythm.isKnown else {
      if isByRhythm { turn(at: now) }
      return
    }
    if (isByRhythm ? -favor : favor) > Self.margin { turn(at: now) }
  }

  /// Believes the other tracker, whose beats are gone to from those that were told.
  private mutating func turn(at now: Double) {
    let here = beats(at: now)
    isByRhythm.toggle()
    let way = here - believed(at: now)
    (offset, leadTime) = (way.rounded(), now)
    lead = way - offset
  }
}
