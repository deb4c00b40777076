#if canImport(Glibc)
  import Glibc
#endif

/// Which beats of a grid begin bars, how long bars are, and whether the beats are half-way between those of the grid, by what
/// is heard in the parts of each beat (`BeatPatterns`) and by where the harmony changes. [one]
struct BarBelief: Sendable {
  /// How many beats a bar may have whose first is heard.
  static let lengths = 2...12
  /// Beats until what was heard counts for a third.
  private static let memory = 64.0
  /// The same for the mean that beats of a bar are compared with, and for whether it is the grid that has the beats.
  private static let usual: Float = 16
  private static let near = 16.0
  /// How much surer it is to be that the beats are elsewhere, in nats, before they are moved there.
  private static let sure = 12.0
  /// How much of what beats say is new: bars are like each other.
  private static let share = 0.15

  /// What the last parts of beats had at most; those of the grid and those between them.
  private var parts = [SIMD3<Float>](repeating: .zero, count: BeatPatterns.parts)
  /// The part that is being heard, counted from the beginning of the grid; nil before the first.
  private var part: Int?
  private var onGrid = Beats()
  private var between = Beats()
  /// The harmony of the beats of the grid, and of those between them.
  private var harmony = BeatHarmony()
  private var harmonyBetween = BeatHarmony()
  /// What speaks for beats half-way between those of the grid.
  private var favor = 0.0
  /// Whether that is where the beats are.
  private(set) var isBetween = false
  /// Whether the beats are those of the grid, whatever speaks for others.
  private let isFixed: Bool

  /// Has heard nothing.
  init(isFixed: Bool = false) { self.isFixed = isFixed }

  /// What beats that lie one beat apart say.
  private struct Beats: Sendable {
    private var mean = SIMD4<Float>()
    private var meanFirst: Float = 0
    private var count: Float = 0
    /// What speaks for each beat as the first of four, and of other lengths.
    private var four = SIMD4<Double>()
    private var others = BarBelief.lengths.map { [Double](repeating: 0, count: $0) }

    /// Takes the scores of a beat by its number.
    mutating func take(_ scores: BeatPatterns.Scores, _ number: Int) {
      count += 1
      let share = max(1 - Float(exp(-1 / Double(BarBelief.usual))), 1 / count)
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

    /// The likeliest of these lengths, its first beat, and how sure that is, 0…1.
    func bar(of lengths: [Int]) -> (beats: Int, first: Int, confidence: Double)? {
      let lengths = lengths.filter(BarBelief.lengths.contains)
      guard count > 4, !lengths.isEmpty else { return nil }
      let most = lengths.map { others[$0 - BarBelief.lengths.lowerBound].max() ?? 0 }
      let best = most.indices.max { most[$0] < most[$1] } ?? 0
      let length = lengths[best]
      let said = length == 4 ? (0..<4).map { four[$0] } : others[length - BarBelief.lengths.lowerBound]
      let first = said.indices.max { said[$0] < said[$1] } ?? 0
      func chance(_ all: [Double], of one: Double) -> Double {
        1 / all.reduce(0) { $0 + exp(BarBelief.share * ($1 - one)) }
      }
      return (length, first, chance(said, of: said[first]) * chance(most, of: most[best]))
    }
  }

  /// Takes changes, as shares of the highest of late, that are heard so many beats after the grid began.
  mutating func take(_ changes: SIMD3<Float>, at beats: Double) {
    let count = BeatPatterns.parts
    let now = Int((beats * Double(count) + 0.5).rounded(.down))
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

  /// Takes levels of semitones that were heard so many beats after the grid began; those near the ends of a beat may be of two
  /// chords, and count for none.
  mutating func take(harmony levels: [Float], at beats: Double) {
    guard let part else { return }
    let count = BeatPatterns.parts
    let heard = Int((beats * Double(count) + 0.5).rounded(.down))
    guard heard >= 0 else { return }
    if 1..<count - 1 ~= heard % count, heard / count == part / count { harmony.take(levels) }
    let (later, now) = (heard + count / 2, part + count / 2)
    if 1..<count - 1 ~= later % count, later / count == now / count { harmonyBetween.take(levels) }
  }

  /// After each part that ends a beat, or one between two, the scores of that are taken.
  private mutating func end(_ ended: Int) {
    let count = BeatPatterns.parts
    let next = ended + 1
    if next % count == 0 || next % count == count / 2 {
      let isGrid = next % count == 0
      let changes = isGrid ? harmony.end() : harmonyBetween.end()
      let scores = BeatPatterns.scores(parts, from: next, harmony: changes)
      let number = (next - count) / count
      if next >= count { isGrid ? onGrid.take(scores, number) : between.take(scores, number) }
      favor = favor * exp(-0.5 / Self.near) + Double(isGrid ? scores.between : -scores.between)
      if !isFixed, (isBetween ? -favor : favor) > Self.sure { isBetween.toggle() }
    }
    parts[next % count] = .zero
  }

  /// What speaks for the beats being where they are said to be, in nats.
  var certainty: Double { isBetween ? favor : -favor }

  /// Forgets what was heard.
  mutating func clear() {
    let wasBetween = isBetween
    self = BarBelief(isFixed: isFixed)
    isBetween = wasBetween
  }

  /// The likeliest bar of these lengths: its length, the number of a beat of the grid, or of one half-way after it, that it
  /// begins with, and how sure that is, 0…1; nil where nothing was heard.
  func bar(of lengths: [Int]) -> (beats: Int, first: Int, confidence: Double)? {
    (isBetween ? between : onGrid).bar(of: lengths)
  }
}
