#if canImport(Glibc)
  import Glibc
#endif

/// Estimates the bars of a beat grid: which beats are downbeats, how many beats a bar has, and whether the true beats
/// lie half-way between those of the grid. The evidence is the onset strength in eight parts of each beat
/// (`BeatPatterns`), and changes of the harmony (`BeatHarmony`). [one]
struct BarBelief: Sendable {
  /// The bar lengths, in beats, whose downbeat can be found.
  static let lengths = 2...12
  /// The beats in which the weight of evidence for a downbeat falls by a factor e.
  private static let memory = 64.0
  /// The same for the mean score that is subtracted from the score of each beat (`meanBeats`), and for the evidence
  /// that the true beats lie between those of the grid (`betweenBeats`).
  private static let meanBeats: Float = 16
  private static let betweenBeats = 16.0
  /// The hysteresis, in nats: evidence beyond this moves the beats by half a beat.
  private static let betweenMargin = 12.0
  /// The factor on log-odds for the confidence. Bars of one piece resemble each other, so they are not independent
  /// evidence.
  private static let oddsScale = 0.15

  /// The highest change of each band in each of the last eight parts, which are eighths of a beat; a ring by part
  /// number.
  private var parts = [SIMD3<Float>](repeating: .zero, count: BeatPatterns.parts)
  /// The current part, counted from the beginning of the grid; nil before the first change.
  private var part: Int?
  private var onGrid = Evidence()
  private var between = Evidence()
  /// The harmony during the beats of the grid, and during beats half-way between them.
  private var harmony = BeatHarmony()
  private var harmonyBetween = BeatHarmony()
  /// The log-odds, in nats, that the true beats lie half-way between those of the grid.
  private var betweenOdds = 0.0
  /// Whether the true beats are taken to lie half-way between those of the grid.
  private(set) var isBetween = false
  /// Whether `isBetween` stays false despite evidence.
  private let isFixed: Bool

  init(isFixed: Bool = false) { self.isFixed = isFixed }

  /// The evidence for downbeats from a sequence of beats.
  private struct Evidence: Sendable {
    private var mean = SIMD4<Float>()
    private var meanFirst: Float = 0
    private var count: Float = 0
    /// The log-likelihood, in nats, of each beat of a bar of four being the downbeat, by its number modulo 4; and a
    /// score for each beat of a bar of every other length.
    private var four = SIMD4<Double>()
    private var others = BarBelief.lengths.map { [Double](repeating: 0, count: $0) }

    /// Adds the scores of the beat with this number.
    mutating func take(_ scores: BeatPatterns.Scores, _ number: Int) {
      count += 1
      let share = max(1 - Float(exp(-1 / Double(BarBelief.meanBeats))), 1 / count)
      mean += share * (scores.ofFour - mean)
      meanFirst += share * (scores.first - meanFirst)
      let ofFour = scores.ofFour - mean
      let most = ofFour.max()
      let sum = (0..<4).reduce(0) { $0 + exp(Double(ofFour[$1] - most)) }
      let fade = exp(-1 / BarBelief.memory)
      for first in 0..<4 {
        four[first] = four[first] * fade + Double(ofFour[(number - first) & 3] - most) - log(sum)
      }
      let first = Double(scores.first - meanFirst)
      for (index, length) in BarBelief.lengths.enumerated() {
        let place = number % length
        for other in 0..<length {
          others[index][other] =
            others[index][other] * fade + (other == place ? first : -first / Double(length - 1))
        }
      }
    }

    /// Returns the likeliest of these bar lengths, the number of a downbeat modulo that length, and the confidence,
    /// 0…1; nil before the fifth beat, and if none of the lengths can be found.
    func bar(of lengths: [Int]) -> (beats: Int, first: Int, confidence: Double)? {
      let lengths = lengths.filter(BarBelief.lengths.contains)
      guard count > 4, !lengths.isEmpty else { return nil }
      let most = lengths.map { others[$0 - BarBelief.lengths.lowerBound].max() ?? 0 }
      let best = most.indices.max { most[$0] < most[$1] } ?? 0
      let length = lengths[best]
      let evidence = length == 4 ? (0..<4).map { four[$0] } : others[length - BarBelief.lengths.lowerBound]
      let first = evidence.indices.max { evidence[$0] < evidence[$1] } ?? 0
      func chance(_ all: [Double], of one: Double) -> Double {
        1 / all.reduce(0) { $0 + exp(BarBelief.oddsScale * ($1 - one)) }
      }
      return (length, first, chance(evidence, of: evidence[first]) * chance(most, of: most[best]))
    }
  }

  /// Takes the change of a step, for each band as a share of its recent peak, at a count of beats since the grid began.
  /// Changes before that are ignored: a tap may begin a grid a little later than the last step.
  mutating func take(_ changes: SIMD3<Float>, at beats: Double) {
    let count = BeatPatterns.parts
    let now = Int((beats * Double(count) + 0.5).rounded(.down))
    guard now >= 0 else { return }
    guard let last = part else {
      part = now
      parts[now % count] = changes
      return
    }
    if now > last {
      for ended in last..<min(now, last + count) { end(ended) }
      part = now
    }
    parts[now % count] = pointwiseMax(parts[now % count], changes)
  }

  /// Takes levels of semitones, heard at a count of beats since the grid began. Levels in the first and last eighth of
  /// a beat are ignored, because a window there may contain two chords.
  mutating func take(harmony levels: [Float], at beats: Double) {
    guard let part else { return }
    let count = BeatPatterns.parts
    let heard = Int((beats * Double(count) + 0.5).rounded(.down))
    guard heard >= 0 else { return }
    if 1..<count - 1 ~= heard % count, heard / count == part / count { harmony.take(levels) }
    let (later, now) = (heard + count / 2, part + count / 2)
    if 1..<count - 1 ~= later % count, later / count == now / count { harmonyBetween.take(levels) }
  }

  /// Scores the beat that this part completes: a beat of the grid, or one half-way between two.
  private mutating func end(_ ended: Int) {
    let count = BeatPatterns.parts
    let next = ended + 1
    if next % count == 0 || next % count == count / 2 {
      let isGrid = next % count == 0
      let changes = isGrid ? harmony.end() : harmonyBetween.end()
      let scores = BeatPatterns.scores(parts, from: next, harmony: changes)
      let number = (next - count) / count
      if next >= count { isGrid ? onGrid.take(scores, number) : between.take(scores, number) }
      betweenOdds =
        betweenOdds * exp(-0.5 / Self.betweenBeats) + Double(isGrid ? scores.between : -scores.between)
      if !isFixed, (isBetween ? -betweenOdds : betweenOdds) > Self.betweenMargin { isBetween.toggle() }
    }
    parts[next % count] = .zero
  }

  /// The log-odds, in nats, of the current choice: that the true beats lie where `isBetween` puts them.
  var certainty: Double { isBetween ? betweenOdds : -betweenOdds }

  /// Forgets all evidence, but keeps `isBetween`.
  mutating func clear() {
    let wasBetween = isBetween
    self = BarBelief(isFixed: isFixed)
    isBetween = wasBetween
  }

  /// Returns the likeliest of these bar lengths, the number of a downbeat, and the confidence, 0…1; nil before the
  /// fifth beat, and if none of the lengths can be found. If `isBetween`, number n is half a beat after beat n of the
  /// grid.
  func bar(of lengths: [Int]) -> (beats: Int, first: Int, confidence: Double)? {
    (isBetween ? between : onGrid).bar(of: lengths)
  }
}
