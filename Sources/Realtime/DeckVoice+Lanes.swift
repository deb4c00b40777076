import Synchronization

/// How a voice goes from one lane to the other. [audio]
extension DeckVoice {
  /// Gives back what has fallen silent, and takes what is on offer when it is its time.
  @_noLocks
  mutating func handOver() {
    let called = words.pointee.called.load(ordering: .acquiring)
    if outgoing >= 0 && (fall == 0 || gate == 0) {
      release(outgoing)
      outgoing = -1
    }
    if current >= 0 && lanes[current].turn.load(ordering: .relaxed) < called
      && (rise == 0 || gate == 0 || isOver)
    {
      release(current)
      current = -1
      isOver = false
      words.pointee.heard.store(-1, ordering: .releasing)
    }
    guard outgoing < 0 else { return }
    let next = offered
    guard next >= 0, lanes[next].turn.load(ordering: .relaxed) >= called, distanceToSplice <= 0 else {
      return
    }
    take(next, called)
  }

  /// The lane on offer; -1 where none is.
  var offered: Int {
    @_noLocks get {
      if current != 0 && lanes[0].owner.load(ordering: .acquiring) == LaneWords.Owner.offered { return 0 }
      if current != 1 && lanes[1].owner.load(ordering: .acquiring) == LaneWords.Owner.offered { return 1 }
      return -1
    }
  }

  /// How many samples of the current lane are still to be played before the one on offer follows; 0 or less: none.
  var distanceToSplice: Int64 {
    @_noLocks get {
      let next = offered
      guard next >= 0, current >= 0, !isOver,
        lanes[current].turn.load(ordering: .relaxed) >= words.pointee.called.load(ordering: .relaxed)
      else { return 0 }
      let splice = lanes[next].splice.load(ordering: .relaxed)
      return splice == LaneWords.now ? 0 : splice &- ring(current).position
    }
  }

  @_noLocks
  mutating func take(_ next: Int, _ called: Int64) {
    let splice = lanes[next].splice.load(ordering: .relaxed)
    guard
      lanes[next].owner.compareExchange(
        expected: LaneWords.Owner.offered, desired: LaneWords.Owner.callback,
        ordering: .acquiringAndReleasing
      ).exchanged
    else { return }
    let isHeard = current >= 0 && rise > 0 && gate > 0 && !isOver
    if current >= 0 {
      let goesOn = !isOver && lanes[current].turn.load(ordering: .relaxed) >= called
      if goesOn && splice != LaneWords.now {
        // The disk was later than the splice: what has been heard already is left out.
        let late = Int(ring(current).position &- splice)
        if late > 0 { ring(next).consume(min(late, ring(next).available)) }
      }
      if isHeard {
        outgoing = current
        fall = rise
      } else {
        release(current)
      }
    }
    // Where nothing sounds, a beginning needs no ramp, and behind a shut gate nothing does.
    let isWhole = !isHeard && (gate == 0 || lanes[next].isBeginning.load(ordering: .relaxed))
    current = next
    rise = isWhole ? fade.length : 0
    starves = false
    isOver = ring(next).isEnded
    if isOver { end() }
    words.pointee.heard.store(Int64(next), ordering: .releasing)
  }

  @_noLocks
  func release(_ lane: Int) {
    lanes[lane].owner.store(LaneWords.Owner.control, ordering: .releasing)
  }

  @_noLocks
  func ring(_ lane: Int) -> SampleRingReader { lane == 0 ? firstRing : secondRing }

  /// Whether the next sample is the first of a track.
  var isAtBeginning: Bool {
    @_noLocks get { ring(current).position == 0 && lanes[current].isBeginning.load(ordering: .relaxed) }
  }
}
