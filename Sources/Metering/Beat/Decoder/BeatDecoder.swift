#if canImport(Glibc)
  import Glibc
#endif

/// Finds the likeliest sequence of beats by Viterbi decoding of a hidden semi-Markov model. A state is one beat: its
/// length in steps, and its row of `RhythmPatterns`, which says the rhythm and the place in its bar. The next beat
/// normally has the following row and about the same length. A beat of the model begins 1/16 of its length before the
/// beat that is heard. [one]
///
/// The states are those of the bar pointer model (Whiteley, Cemgil and Godsill, ISMIR 2006; Krebs, Böck and Widmer,
/// ISMIR 2013). Here a beat is scored once, when it ends: running sums of the observation log-likelihood ratios of each
/// row reduce that to a few additions. Scores are integers, so that their sums are exact in any order.
struct BeatDecoder: Sendable {
  /// The likeliest path.
  struct Path: Sendable {
    /// The steps after which the last beats ended, the newest first.
    var ends: SIMD8<Int>
    /// How many of `ends` are valid.
    var count: Int
    /// The length of the current beat, in steps.
    var length: Int
    /// The score of the whole path, a log-likelihood ratio in 1/256 nat.
    var score: Int
    /// The row of the current beat.
    var row: Int
  }

  private static let nat = Double(RhythmPatterns.nat)
  /// The costs of transitions: of a change of length (100 nats times the relative change, at most `lengthCost`), of any
  /// other row, and of any other length.
  private static let stretchCost = 100 * nat
  private static let rowCost = Int(12 * nat)
  private static let lengthCost = Int(14 * nat)
  /// The beams of the search: a beat is dropped if its score is this far below the best, at its start and at its end.
  private static let (startBeam, endBeam) = (Int(13 * nat), Int(11 * nat))
  /// The beam for the current beat in `path`: how far its start may lie below the best beat that ended recently.
  private static let pathBeam = Int(8 * nat)
  /// The greatest change of length from beat to beat, in steps, other than a jump to any length.
  private static let reach = 8
  /// The prior of the length: a normal distribution of log2 tempo around `usualTempo`, in beats a minute, or around the
  /// hint. Deviations are in octaves: `spread` without a hint, `hintSpread` with one. With a hint, `hintWeight` of the
  /// log-prior is also added for each beat that follows within `reach`.
  private static let (usualTempo, spread, hintSpread, hintWeight) = (120.0, 0.8, 0.3, 0.3)

  private let step: Double
  private let lengths: ClosedRange<Int>
  private let prior: [Int]
  /// The cost of each change of length, `-reach...reach` steps, for each length in turn.
  private let costs: [Int]
  /// The steps at which the eighths of a beat begin, and its end, for each length in turn.
  private let partStarts: [Int32]
  /// Running sums of the log-likelihood ratios of each part of each row, as a ring of the last `size` steps. They wrap
  /// around on overflow; their differences stay exact.
  private var sums: [Int32]
  private let size: Int
  private let mask: Int
  /// The beats that have not ended, by the number of the step after which they end, modulo `size`. At most one of each
  /// row and length ends after a step, so the pool never grows beyond its initial number of beats.
  private var open: OpenBeats
  /// The best score of the beats that ended after each of the last `size` steps.
  private var endScores: [Int]
  /// By state (index of the length, then row): the best score of a beat that starts after this step; `Int.min`: none.
  private var startScores: [Int]
  /// By state: the index in `ended` of the beat before that one.
  private var parents: [Int32]
  /// The states that have a score in `startScores`.
  private var touched: [Int32] = []
  /// The beats that end after this step.
  private var ended: [OpenBeat] = []
  /// The number of steps taken.
  private(set) var count = 0
  /// Whether the numbers of steps, of 32 bits in `OpenBeat`, will soon be used up. Another decoder has to follow.
  var isUsedUp: Bool { count >= 1 << 30 }

  /// Makes a decoder for flux in steps of `step` seconds and a range of tempi, in beats a minute. `hint` is a likely
  /// tempo in the same unit. `grid` is a known beat grid, if any: its period in seconds, the seconds since its last
  /// beat, and the bonus in nats for beats on it.
  init(
    step: Double, slowest: Double, fastest: Double, hint: Double?,
    grid: (period: Double, since: Double, bonus: Double)? = nil
  ) {
    self.step = step
    // 2 % beyond the range at both ends, so that a tempo at its edge can vary.
    let shortest = max(RhythmPatterns.parts, Int((60 / (fastest * 1.02) / step).rounded(.down)))
    lengths = shortest...max(shortest, Int((60 / (slowest * 0.98) / step).rounded(.up)))
    // The smallest power of two above the longest beat.
    size = 1 << (Int.bitWidth - (lengths.upperBound + 1).leadingZeroBitCount)
    mask = size - 1
    let rows = RhythmPatterns.rows
    let parts = RhythmPatterns.parts
    prior = lengths.map { length in
      let octaves =
        log2(60 / (Double(length) * step) / (hint ?? Self.usualTempo))
        / (hint == nil ? Self.spread : Self.hintSpread)
      return Int(((-0.5 * octaves * octaves) * Self.nat).rounded())
    }
    let hintScores = prior.map { hint == nil ? 0 : Int((Self.hintWeight * Double($0)).rounded()) }
    var costs: [Int] = []
    for (index, length) in lengths.enumerated() {
      for change in -Self.reach...Self.reach {
        let next = index + change
        guard prior.indices.contains(next) else {
          costs.append(Int.max / 4)
          continue
        }
        let ratio = abs(Double(length + change) / Double(length) - 1)
        costs.append(min(Self.lengthCost, Int((Self.stretchCost * ratio).rounded())) - hintScores[next])
      }
    }
    self.costs = costs
    partStarts = lengths.flatMap { length in (0...parts).map { Int32(($0 * length + parts - 1) / parts) } }
    sums = Array(repeating: 0, count: size * parts * rows)
    open = OpenBeats(slots: size, capacity: lengths.reduce(0, +) * rows)
    endScores = Array(repeating: Int.min / 4, count: size)
    startScores = Array(repeating: Int.min, count: prior.count * rows)
    parents = Array(repeating: 0, count: startScores.count)
    ended.reserveCapacity(startScores.count)
    touched.reserveCapacity(startScores.count)
    for (index, length) in lengths.enumerated() {
      for end in 1...length {
        for row in 0..<rows {
          var score = prior[index] - Int(log(Double(length)) * Self.nat)
          if let grid, abs(Double(length) * step / grid.period - 1) < 0.03 {
            let off = (Double(length - end) * step - grid.since) / grid.period
            if abs(off - off.rounded()) < 0.06 { score += Int(grid.bonus * Self.nat) }
          }
          open.add(
            OpenBeat(
              score: score, row: Int32(row), length: Int32(length), count: 1,
              ends: .init(repeating: Int32(end - length))), to: end & mask)
        }
      }
    }
  }

  /// Takes the flux of the next step, of each band as a share of its recent peak; nil without sound.
  mutating func take(_ flux: SIMD3<Float>?) {
    let (rows, parts) = (RhythmPatterns.rows, RhythmPatterns.parts)
    let before = count & mask * parts * rows
    count += 1
    let now = count & mask
    let here = now * parts * rows
    sums.withUnsafeMutableBufferPointer { sums in
      guard let flux else {
        for place in 0..<parts * rows { sums[here + place] = sums[before + place] }
        return
      }
      let symbol = RhythmPatterns.symbol(flux)
      RhythmPatterns.weights.withUnsafeBufferPointer { weights in
        for part in 0..<parts {
          let from = (part * RhythmPatterns.symbols + symbol) * rows
          for row in 0..<rows {
            sums[here + part * rows + row] = sums[before + part * rows + row] &+ weights[from + row]
          }
        }
      }
    }
    end(at: now)
    begin(at: now)
  }

  /// Returns the log-likelihood ratio of the first `heard` steps of a beat, in 1/256 nat.
  private func evidence(
    _ beat: OpenBeat, heard: Int, _ sums: UnsafePointer<Int32>, _ partStarts: UnsafePointer<Int32>
  ) -> Int {
    let (rows, parts) = (RhythmPatterns.rows, RhythmPatterns.parts)
    let partStarts = partStarts + (Int(beat.length) - lengths.lowerBound) * (parts + 1)
    let start = Int(beat.ends[0])
    let column = sums + Int(beat.row)
    var sum: Int32 = 0
    for part in 0..<parts {
      let from = Int(partStarts[part])
      guard from < heard else { break }
      // A beat may begin before the first step; nothing was observed there.
      let low = max(0, start + from), high = max(0, start + min(heard, Int(partStarts[part + 1])))
      sum &+= column[((high & mask) * parts + part) * rows] &- column[((low & mask) * parts + part) * rows]
    }
    return Int(sum)
  }

  /// The best score of the beats that ended within the last half of the longest beat.
  private var top: Int {
    var top = Int.min / 4
    for back in 0...min(count, lengths.upperBound / 2) { top = max(top, endScores[(count - back) & mask]) }
    return top
  }

  /// Scores the beats that end after this step.
  private mutating func end(at now: Int) {
    endScores[now] = Int.min / 4
    let least = top - Self.endBeam
    ended.removeAll(keepingCapacity: true)
    var most = Int.min / 4
    sums.withUnsafeBufferPointer { sums in
      partStarts.withUnsafeBufferPointer { partStarts in
        open.forEach(in: now) { open in
          guard open.score > least else { return }
          var beat = open
          beat.score += evidence(beat, heard: Int(beat.length), sums.baseAddress!, partStarts.baseAddress!)
          most = max(most, beat.score)
          ended.append(beat)
        }
      }
    }
    open.clear(now)
    endScores[now] = most
  }

  /// Starts the beats that may follow those that have just ended.
  private mutating func begin(at now: Int) {
    guard !ended.isEmpty else { return }
    let rows = RhythmPatterns.rows
    let top = top
    let least = top - Self.startBeam
    var winner = 0
    for (index, beat) in ended.enumerated() {
      if beat.score > ended[winner].score { winner = index }
      guard beat.score > least else { continue }
      follow(beat, index, on: RhythmPatterns.next[Int(beat.row)], less: 0, least: least)
    }
    let beat = ended[winner]
    if beat.score - Self.rowCost > least {
      for row in 0..<rows { follow(beat, winner, on: row, less: Self.rowCost, least: least) }
    }
    if beat.score - Self.lengthCost > least {
      let row = RhythmPatterns.next[Int(beat.row)]
      for index in prior.indices { offer(beat.score - Self.lengthCost, winner, index * rows + row) }
    }
    for state in touched {
      let parent = ended[Int(parents[Int(state)])]
      let length = Int(state) / rows + lengths.lowerBound
      let last = parent.ends
      let ends = SIMD8(Int32(count), last[0], last[1], last[2], last[3], last[4], last[5], last[6])
      open.add(
        OpenBeat(
          score: startScores[Int(state)], row: state % Int32(rows), length: Int32(length),
          count: min(8, parent.count + 1), ends: ends), to: (now + length) & mask)
      startScores[Int(state)] = Int.min
    }
    touched.removeAll(keepingCapacity: true)
  }

  private mutating func follow(_ beat: OpenBeat, _ parent: Int, on row: Int, less cost: Int, least: Int) {
    let rows = RhythmPatterns.rows
    let index = Int(beat.length) - lengths.lowerBound
    let score = beat.score - cost
    costs.withUnsafeBufferPointer { costs in
      let costs = costs.baseAddress! + index * (2 * Self.reach + 1) + Self.reach
      for change in max(-Self.reach, -index)...min(Self.reach, prior.count - 1 - index)
      where score - costs[change] > least {
        offer(score - costs[change], parent, (index + change) * rows + row)
      }
    }
  }

  private mutating func offer(_ score: Int, _ parent: Int, _ state: Int) {
    guard score > startScores[state] else { return }
    if startScores[state] == Int.min { touched.append(Int32(state)) }
    startScores[state] = score
    parents[state] = Int32(parent)
  }

  /// Returns the likeliest path up to now, with the part of the current beat heard so far; nil before the first beat
  /// has ended.
  func path() -> Path? {
    var found: (beat: OpenBeat, score: Int)?
    let least = top - Self.pathBeam
    sums.withUnsafeBufferPointer { sums in
      partStarts.withUnsafeBufferPointer { partStarts in
        for slot in 0..<size {
          open.forEach(in: slot) { beat in
            guard beat.score > least, beat.count > 1 else { return }
            let heard = count - Int(beat.ends[0])
            let score = beat.score + evidence(beat, heard: heard, sums.baseAddress!, partStarts.baseAddress!)
            if score > found?.score ?? Int.min { found = (beat, score) }
          }
        }
      }
    }
    return found.map { found in
      Path(
        ends: SIMD8<Int>(clamping: found.beat.ends), count: Int(found.beat.count),
        length: Int(found.beat.length),
        score: found.score, row: Int(found.beat.row))
    }
  }
}
