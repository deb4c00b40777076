#if canImport(Glibc)
  import Glibc
#endif

/// The likeliest beats of what was heard, by the Viterbi algorithm over beats of explicit duration: a beat is so many changes
/// long and a row of `RhythmPatterns`; the next one is of the following row, and about as long. [one]
///
/// The states are those of a bar pointer (Whiteley, Cemgil and Godsill, ISMIR 2006; Krebs, Böck and Widmer, ISMIR 2013), but a
/// beat is scored as a whole, when it ends: running sums of what each row says make that a few additions. Scores are whole
/// numbers, so that they are the same on every processor.
struct BeatDecoder: Sendable {
  /// What was found: the changes after which the last beats ended, the newest first, how long the one is that is heard now, and
  /// the score of it all.
  struct Path: Sendable {
    var ends: SIMD8<Int>
    var count: Int
    var length: Int
    var score: Int
    var row: Int
  }

  private static let nat = Double(RhythmPatterns.nat)
  /// What it costs to be longer or shorter by a share, to go on with another rhythm or beat, and with any length.
  private static let stiffness = 100 * nat
  private static let reset = Int(12 * nat)
  private static let jump = Int(14 * nat)
  /// How much less likely than the best a beat may begin, and end, to be looked at.
  private static let (widest, beam) = (Int(13 * nat), Int(11 * nat))
  /// How much less likely than the best one that ended a beat may be that is heard now.
  private static let likely = Int(8 * nat)
  /// How many changes longer or shorter than the last a beat may be, without a jump.
  private static let reach = 8
  /// How little a hint says of each beat: its distance from the hint is that of a normal distribution of log2 tempo.
  private static let (usual, spread, hinted, hintWeight) = (120.0, 0.8, 0.3, 0.3)

  private let step: Double
  private let lengths: ClosedRange<Int>
  private let prior: [Int]
  /// For each length of a beat and each of `-reach...reach`, what it costs to become that much longer.
  private let costs: [Int]
  /// The places of the parts' ends in a beat, for each length.
  private let places: [Int32]
  /// Running sums of what parts of rows have said, wrapping, for the last `size` changes.
  private var sums: [Int32]
  private let size: Int
  private let mask: Int
  /// Beats that end after the changes to come, by the count of changes modulo `size`. One of each row and length ends after each,
  /// so there are never more than at the beginning.
  private var open: OpenBeats
  /// The best score of the beats that ended after each of the last changes.
  private var tops: [Int]
  private var best: [Int]
  private var parents: [Int32]
  private var touched: [Int32] = []
  private var ended: [OpenBeat] = []
  private(set) var count = 0

  /// Makes one for changes `step` seconds apart and these tempi, in beats a minute. Where a grid is known that had a beat `since`
  /// seconds ago, a beat there of `period` seconds is likelier by `favor` nats.
  init(
    step: Double, slowest: Double, fastest: Double, hint: Double?,
    grid: (period: Double, since: Double, favor: Double)? = nil
  ) {
    self.step = step
    let shortest = max(RhythmPatterns.parts, Int((60 / (fastest * 1.02) / step).rounded(.down)))
    lengths = shortest...max(shortest, Int((60 / (slowest * 0.98) / step).rounded(.up)))
    // A power of two, above the longest beat.
    size = 1 << (Int.bitWidth - (lengths.upperBound + 1).leadingZeroBitCount)
    mask = size - 1
    let rows = RhythmPatterns.rows
    let parts = RhythmPatterns.parts
    prior = lengths.map { length in
      let octaves =
        log2(60 / (Double(length) * step) / (hint ?? Self.usual)) / (hint == nil ? Self.spread : Self.hinted)
      return Int(((-0.5 * octaves * octaves) * Self.nat).rounded())
    }
    let hintCosts = prior.map { hint == nil ? 0 : Int((Self.hintWeight * Double($0)).rounded()) }
    var costs: [Int] = []
    for (index, length) in lengths.enumerated() {
      for change in -Self.reach...Self.reach {
        let next = index + change
        guard prior.indices.contains(next) else {
          costs.append(Int.max / 4)
          continue
        }
        let ratio = abs(Double(length + change) / Double(length) - 1)
        costs.append(min(Self.jump, Int((Self.stiffness * ratio).rounded())) - hintCosts[next])
      }
    }
    self.costs = costs
    places = lengths.flatMap { length in (0...parts).map { Int32(($0 * length + parts - 1) / parts) } }
    sums = Array(repeating: 0, count: size * parts * rows)
    open = OpenBeats(slots: size, capacity: lengths.reduce(0, +) * rows)
    tops = Array(repeating: Int.min / 4, count: size)
    best = Array(repeating: Int.min, count: prior.count * rows)
    parents = Array(repeating: 0, count: best.count)
    ended.reserveCapacity(best.count)
    touched.reserveCapacity(best.count)
    for (index, length) in lengths.enumerated() {
      for end in 1...length {
        for row in 0..<rows {
          var score = prior[index] - Int(log(Double(length)) * Self.nat)
          if let grid, abs(Double(length) * step / grid.period - 1) < 0.03 {
            let off = (Double(length - end) * step - grid.since) / grid.period
            if abs(off - off.rounded()) < 0.06 { score += Int(grid.favor * Self.nat) }
          }
          open.add(
            OpenBeat(
              score: score, row: Int32(row), length: Int32(length), count: 1,
              ends: .init(repeating: Int32(end - length))), to: end & mask)
        }
      }
    }
  }

  /// Takes the next change, as shares of the highest of late in three ranges of frequencies; nil where there is no sound.
  mutating func take(_ changes: SIMD3<Float>?) {
    let (rows, parts) = (RhythmPatterns.rows, RhythmPatterns.parts)
    let before = count & mask * parts * rows
    count += 1
    let now = count & mask
    let here = now * parts * rows
    sums.withUnsafeMutableBufferPointer { sums in
      guard let changes else {
        for place in 0..<parts * rows { sums[here + place] = sums[before + place] }
        return
      }
      let symbol = RhythmPatterns.symbol(changes)
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

  /// What the first `heard` changes of a beat say of it.
  private func evidence(
    _ beat: OpenBeat, heard: Int, _ sums: UnsafePointer<Int32>, _ places: UnsafePointer<Int32>
  ) -> Int {
    let (rows, parts) = (RhythmPatterns.rows, RhythmPatterns.parts)
    let places = places + (Int(beat.length) - lengths.lowerBound) * (parts + 1)
    let start = Int(beat.ends[0])
    let column = sums + Int(beat.row)
    var sum: Int32 = 0
    for part in 0..<parts {
      let from = Int(places[part])
      guard from < heard else { break }
      // Before the first change nothing was heard.
      let low = max(0, start + from), high = max(0, start + min(heard, Int(places[part + 1])))
      sum &+= column[((high & mask) * parts + part) * rows] &- column[((low & mask) * parts + part) * rows]
    }
    return Int(sum)
  }

  /// The best score of late.
  private var top: Int {
    var top = Int.min / 4
    for back in 0...min(count, lengths.upperBound / 2) { top = max(top, tops[(count - back) & mask]) }
    return top
  }

  /// Scores the beats that end now.
  private mutating func end(at now: Int) {
    tops[now] = Int.min / 4
    let least = top - Self.beam
    ended.removeAll(keepingCapacity: true)
    var most = Int.min / 4
    sums.withUnsafeBufferPointer { sums in
      places.withUnsafeBufferPointer { places in
        open.forEach(in: now) { open in
          guard open.score > least else { return }
          var beat = open
          beat.score += evidence(beat, heard: Int(beat.length), sums.baseAddress!, places.baseAddress!)
          most = max(most, beat.score)
          ended.append(beat)
        }
      }
    }
    open.clear(now)
    tops[now] = most
  }

  /// Lets beats follow on those that ended now.
  private mutating func begin(at now: Int) {
    guard !ended.isEmpty else { return }
    let rows = RhythmPatterns.rows
    let top = top
    let least = top - Self.widest
    var winner = 0
    for (place, beat) in ended.enumerated() {
      if beat.score > ended[winner].score { winner = place }
      guard beat.score > least else { continue }
      follow(beat, place, on: RhythmPatterns.next[Int(beat.row)], less: 0, least: least)
    }
    let beat = ended[winner]
    if beat.score - Self.reset > least {
      for row in 0..<rows { follow(beat, winner, on: row, less: Self.reset, least: least) }
    }
    if beat.score - Self.jump > least {
      let row = RhythmPatterns.next[Int(beat.row)]
      for index in prior.indices { offer(beat.score - Self.jump, winner, index * rows + row) }
    }
    for place in touched {
      let parent = ended[Int(parents[Int(place)])]
      let length = Int(place) / rows + lengths.lowerBound
      let last = parent.ends
      let ends = SIMD8(Int32(count), last[0], last[1], last[2], last[3], last[4], last[5], last[6])
      open.add(
        OpenBeat(
          score: best[Int(place)], row: place % Int32(rows), length: Int32(length),
          count: min(8, parent.count + 1), ends: ends), to: (now + length) & mask)
      best[Int(place)] = Int.min
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

  private mutating func offer(_ score: Int, _ parent: Int, _ place: Int) {
    guard score > best[place] else { return }
    if best[place] == Int.min { touched.append(Int32(place)) }
    best[place] = score
    parents[place] = Int32(parent)
  }

  /// The likeliest beats up to now; nil before the first beat ended.
  func path() -> Path? {
    var found: (beat: OpenBeat, score: Int)?
    let least = top - Self.likely
    sums.withUnsafeBufferPointer { sums in
      places.withUnsafeBufferPointer { places in
        for slot in 0..<size {
          open.forEach(in: slot) { beat in
            guard beat.score > least, beat.count > 1 else { return }
            let heard = count - Int(beat.ends[0])
            let score = beat.score + evidence(beat, heard: heard, sums.baseAddress!, places.baseAddress!)
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
