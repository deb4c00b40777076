#if canImport(Glibc)
  import Glibc
#endif

/// Finds beats by rhythms that are known: `BeatDecoder` says four times a second which beats are likeliest. [one]
struct RhythmTracker: Sendable {
  /// Seconds from one estimate to the next, and of sound before the first, and before the second that may be doubtful.
  private static let interval = 0.25
  private static let first = 1.25
  private static let usual = 2.25
  /// From what autocorrelation on there is a beat: at 0.38, speech has one now and then; and from what on the beat is still there.
  private static let certain = 0.42
  private static let unsure = 0.12
  /// How much likelier beats are than sound without a beat, in nats a second over the last looks, where there is a beat.
  private static let least = 1.5
  /// The same for a beat that is believed sooner: drums that repeat at once do, and speech had 0.65 twice.
  private static let (clear, clearOfThree, leastSoon) = (0.75, 0.68, 3.0)
  private static let looks = 12
  /// Up to what share of empty changes rhythms are known: music of several instruments has less in 99 of 100 seconds, a drum or
  /// two have more.
  private static let full = 0.91
  /// The seconds in which what was empty comes to count e times less.
  private static let memory = 3.0
  /// Up to how many beats off its accents the grid is believed to be at the right ones.
  private static let near = 0.1
  /// How much later than a sound its change is highest, in seconds.
  private static let lateness = 0.012
  /// After how many seconds without a change nothing speaks for the beats any more.
  private static let pause = 1.0
  /// After how many seconds without a change a sound stands still: what comes then is another piece, or the next part of one.
  private static let still = 2.5
  /// How much likelier beats of the grid are at first where there is one, in nats; and those that were tapped.
  private static let (known, tapped) = (5.0, 10.0)

  private let step: Double
  private var decoder: BeatDecoder?
  /// When the decoder began, and what it looks for.
  private(set) var decoded = 0.0
  private var sought: BeatSettings?
  /// The scores of the last looks.
  private var scores: [Double] = []
  private var favor = known
  private(set) var bars = BarBelief(isFixed: true)
  /// From which change on they are of one tempo.
  private var start = 0
  private var nextEstimate = 0.0
  private var candidates: [Double] = []
  private var lastSure = -Double.infinity
  private var lastChange = -Double.infinity
  private(set) var grid = BeatGrid()

  /// Whether there is a grid.
  private(set) var isLocked = false
  /// How much likelier the beats were than none, in nats a second over the last looks.
  private(set) var gain = 0.0
  /// The share of changes of late that were none at all: there is much of that where few instruments play, whose rhythms are not
  /// known.
  private(set) var emptiness = 0.0
  /// Whether so much is heard that rhythms are known.
  var isKnown: Bool { emptiness < Self.full }
  /// How strongly the last estimate spoke for its tempo, 0…1.
  private(set) var strength = 0.0

  /// Makes one for changes `step` seconds apart.
  init(step: Double) { self.step = step }

  /// Hears the last of these changes, whose shares these are.
  mutating func hear(
    _ shares: SIMD3<Float>, of changes: BeatChanges, hasSound: Bool, _ settings: BeatSettings
  ) {
    let now = changes.now
    let isEmpty = !hasSound || RhythmPatterns.symbol(shares) == 0
    if !isEmpty { lastChange = now }
    emptiness +=
      max(1 - exp(-step / Self.memory), 1 / Double(changes.count)) * ((isEmpty ? 1 : 0) - emptiness)
    decode(hasSound ? shares : nil, at: now, settings)
    if isLocked, hasSound { bars.take(shares, at: grid.beats(at: now)) }
    if now >= nextEstimate {
      nextEstimate = now + Self.interval
      estimate(changes, settings)
    }
  }

  /// Hears the levels of semitones at a time in seconds of what was taken.
  mutating func hear(harmony levels: [Float], at time: Double) {
    if isLocked { bars.take(harmony: levels, at: grid.beats(at: time)) }
  }

  /// Beats since the grid began, at a time in seconds of what was taken.
  func beats(at time: Double) -> Double { grid.beats(at: time) }

  /// The likeliest bar of one of these lengths.
  func bar(of lengths: [Int]) -> (beats: Int, first: Double, confidence: Double)? {
    guard isLocked, let bar = bars.bar(of: lengths) else { return nil }
    return (bar.beats, Double(bar.first), bar.confidence)
  }

  /// Goes to so many beats a second, and by so many beats.
  mutating func steer(to rate: Double, by error: Double, at now: Double) {
    grid.go(to: rate, by: error, at: now)
    expect(at: now)
  }

  /// Has a grid of so many beats a second that had so many beats.
  mutating func begin(with beats: Double, rate: Double, at now: Double) {
    isLocked = true
    grid.begin(with: beats, rate: rate, at: now)
    expect(at: now)
  }

  private mutating func expect(at now: Double) {
    lastSure = now
    decoder = nil
    favor = Self.tapped
    bars.clear()
  }

  // MARK: - Estimates

  /// Has the decoder hear a change; another begins where sound does, and where other tempi are looked for.
  private mutating func decode(_ changes: SIMD3<Float>?, at now: Double, _ settings: BeatSettings) {
    if now - lastChange > Self.still || sought != settings { decoder = nil }
    guard now - lastChange <= Self.still else { return }
    if decoder == nil {
      decoder = BeatDecoder(
        step: step, slowest: settings.slowest, fastest: settings.fastest, hint: settings.hint,
        grid: isLocked ? (1 / grid.rate, grid.phase(at: now - step) / grid.rate, favor) : nil)
      (decoded, sought, favor) = (now - step, settings, Self.known)
      scores.removeAll()
      candidates.removeAll()
    }
    decoder?.take(changes)
  }

  private mutating func estimate(_ changes: BeatChanges, _ settings: BeatSettings) {
    let now = changes.now
    if isLocked, now - lastSure > settings.patience { forget() }
    strength = 0
    guard let path = decoder?.path() else { return }
    let (period, last) = line(through: path)
    scores.append(Double(path.score) / Double(RhythmPatterns.nat))
    if scores.count > Self.looks { scores.removeFirst() }
    let seconds = Double(scores.count - 1) * Self.interval
    gain = seconds > 0 ? (scores[scores.count - 1] - scores[0]) / seconds : 0
    guard now - decoded >= Self.first || isLocked else { return }
    let signal = changes.signal(min(changes.size, changes.count - start, Int((now - decoded) / step)))
    strength = max(0, min(1, TempoBelief.likeness(signal, after: period / step)))
    candidates.append(period)
    if candidates.count > 3 { candidates.removeFirst() }
    let agreeing = candidates.filter { abs($0 / period - 1) < 0.04 }
    if isLocked {
      if strength >= Self.unsure, gain > 0, now - lastChange <= Self.pause { lastSure = now }
      if abs(period * grid.rate - 1) >= 0.04 {
        bars.clear()
        start = max(start, changes.count - Int(Self.still / step))
      }
      follow(period, last, changes)
    } else if isBeat(agreeing.count, after: now - decoded) {
      isLocked = true
      lastSure = now
      bars.clear()
      // The last beat before now is number 0.
      let since = (now - last) / period
      grid.begin(with: since - since.rounded(.down), rate: 1 / period, at: now)
    }
  }

  /// Whether the last estimates, of which so many agree, are of a beat; sooner only where it is clear.
  private func isBeat(_ agreeing: Int, after seconds: Double) -> Bool {
    guard isKnown, agreeing >= 2 else { return false }
    if seconds >= Self.usual { return strength >= Self.certain && gain >= Self.least }
    return strength >= (agreeing >= 3 ? Self.clearOfThree : Self.clear) && gain >= Self.leastSoon
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
  private mutating func follow(_ period: Double, _ last: Double, _ changes: BeatChanges) {
    let now = changes.now
    let here = grid.beats(at: now)
    var error = (now - last) / period - here
    error -= error.rounded()
    var rate = 1 / period
    // Seconds make a tempo late that moves: the last beats know better, where these are the beats.
    let length = min(changes.size, changes.count - start)
    if abs(period * grid.rate - 1) < 0.04, abs(error) < Self.near,
      let near = GridError(of: changes.accents(length), beats: here, rate: grid.rate, step: step)
    {
      error = -near.lead
      rate = 0.9 * grid.rate + 0.1 * rate + 0.25 * near.drift
    }
    grid.go(to: rate, by: error, at: now)
  }
}
