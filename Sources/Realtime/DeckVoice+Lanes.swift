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
      // First nobody looks there any more, then it is given back.
      words.pointee.heard.store(-1, ordering: .releasing)
      release(current)
      current = -1
      isOver = false
    }
    guard outgoing < 0 else { return }
    let next = offered
    guard next >= 0, lanes[next].turn.load(ordering: .relaxed) >= called, distanceToSplice <= 0, !isRising
    else { return }
    take(next, called)
  }

  /// Whether the current lane is heard on its way up, which it goes to the end.
  private var isRising: Bool {
    @_noLocks get {
      current >= 0 && !isOver && gate > 0 && rise > 0 && rise < fade.length && riseStep > 0
    }
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
    let before = current
    let isHeard = before >= 0 && rise > 0 && gate > 0 && !isOver
    let goesOn =
      before >= 0 && splice != LaneWords.now && lanes[before].turn.load(ordering: .relaxed) >= called
    if goesOn {
      // It is later than the splice: what has been heard already is left out.
      let late = Int(ring(before).position &- splice)
      if late > 0 { ring(next).consume(min(late, ring(next).available)) }
    }
    if isHeard {
      outgoing = before
      fall = rise
    }
    // What went before it has told its end; and where it was only located beyond the end, nothing has been played.
    let tells = goesOn ? !isOver : words.pointee.plays.load(ordering: .relaxed) && !hasTransport
    // Where nothing sounds, a beginning needs no ramp, and behind a shut gate nothing does.
    let isWhole = !isHeard && (gate == 0 || lanes[next].isBeginning.load(ordering: .relaxed))
    current = next
    rise = isWhole ? fade.length : 0
    starves = false
    isOver = false
    words.pointee.heard.store(Int64(next), ordering: .releasing)
    if before >= 0 && !isHeard { release(before) }
    if ring(next).isEnded { if tells { end() } else { isOver = true } }
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
