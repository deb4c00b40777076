/// A beat that began, as `BeatDecoder` follows it.
struct OpenBeat: Sendable {
  /// The score up to its beginning.
  var score: Int
  var row: Int32
  var length: Int32
  /// How many of `ends` there are; the newest is where this beat began.
  var count: Int32
  /// The place of the next one of its list; -1: none.
  fileprivate var next: Int32 = -1
  var ends: SIMD8<Int32>

  init(score: Int, row: Int32, length: Int32, count: Int32, ends: SIMD8<Int32>) {
    (self.score, self.row, self.length, self.count, self.ends) = (score, row, length, count, ends)
  }
}

/// Beats that began, in a list for each slot, in the order in which they came. All lists share one pool, so that memory stays as
/// it is however many of them a slot has. [one]
struct OpenBeats: Sendable {
  private var pool: [OpenBeat] = []
  /// The places in `pool` of the first and last of each list, and of the first that is free; -1: none.
  private var firsts: [Int32]
  private var lasts: [Int32]
  private var free: Int32 = -1

  /// Makes lists without a beat, which have so many together at most.
  init(slots: Int, capacity: Int) {
    firsts = Array(repeating: -1, count: slots)
    lasts = firsts
    pool.reserveCapacity(capacity)
  }

  /// Adds a beat to the end of a list.
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

  /// Frees the beats of a list.
  mutating func clear(_ slot: Int) {
    guard lasts[slot] >= 0 else { return }
    pool[Int(lasts[slot])].next = free
    free = firsts[slot]
    (firsts[slot], lasts[slot]) = (-1, -1)
  }

  /// Gives the beats of a list, the oldest first.
  func forEach(in slot: Int, _ body: (OpenBeat) -> Void) {
    var place = firsts[slot]
    while place >= 0 {
      let beat = pool[Int(place)]
      place = beat.next
      body(beat)
    }
  }
}
