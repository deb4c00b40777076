/// A beat of a `BeatDecoder` that has begun and not yet ended.
struct OpenBeat: Sendable {
  /// The score of the path up to the start of this beat, in 1/256 nat.
  var score: Int
  var row: Int32
  var length: Int32
  /// The number of valid values in `ends`, which are the steps after which the beats before this one ended, the newest
  /// first. The newest is the start of this beat.
  var count: Int32
  /// The index in the pool of the next beat of its list, or of the next free one; -1: none.
  fileprivate var next: Int32 = -1
  var ends: SIMD8<Int32>

  init(score: Int, row: Int32, length: Int32, count: Int32, ends: SIMD8<Int32>) {
    (self.score, self.row, self.length, self.count, self.ends) = (score, row, length, count, ends)
  }
}

/// Lists of open beats, one for each slot, each in order of insertion. All lists share one pool, so memory does not
/// grow with the distribution of beats over slots. [one]
struct OpenBeats: Sendable {
  private var pool: [OpenBeat] = []
  /// The indexes in `pool` of the first and the last beat of each list, and of the first free beat; -1: none.
  private var firsts: [Int32]
  private var lasts: [Int32]
  private var free: Int32 = -1

  /// Makes empty lists. `capacity` is the greatest number of beats in all lists together.
  init(slots: Int, capacity: Int) {
    firsts = Array(repeating: -1, count: slots)
    lasts = firsts
    pool.reserveCapacity(capacity)
  }

  /// Appends a beat to a list.
  mutating func add(_ beat: OpenBeat, to slot: Int) {
    let place: Int32
    if free >= 0 {
      place = free
      free = pool[Int(place)].next
      pool[Int(place)] = beat
    } else {
      place = Int32(pool.count)
      pool.append(beat)
    }
    if lasts[slot] >= 0 { pool[Int(lasts[slot])].next = place } else { firsts[slot] = place }
    lasts[slot] = place
  }

  /// Removes all beats of a list.
  mutating func clear(_ slot: Int) {
    guard lasts[slot] >= 0 else { return }
    pool[Int(lasts[slot])].next = free
    free = firsts[slot]
    (firsts[slot], lasts[slot]) = (-1, -1)
  }

  /// Calls `body` with each beat of a list, the oldest first.
  func forEach(in slot: Int, _ body: (OpenBeat) -> Void) {
    var place = firsts[slot]
    while place >= 0 {
      let beat = pool[Int(place)]
      place = beat.next
      body(beat)
    }
  }
}
