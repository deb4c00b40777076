import CRealtime
import Realtime
import Synchronization

/// Crossfades from one side to the other. [audio]
extension CrossfadeReader {
  /// Gives sides that have faded out back to the disk thread, and takes the side on offer when it is due. `now`:
  /// sample of the timeline.
  @_noLocks
  mutating func handOver(_ now: Int64) {
    let leastGeneration = leastGeneration
    if outgoing >= 0 && (fall == 0 || gate == 0) {
      release(outgoing)
      outgoing = -1
    }
    if current >= 0 && sides[current].generation.load(ordering: .relaxed) < leastGeneration
      && (rise == 0 || gate == 0 || isOver)
    {
      // Clears `heard` before the side is returned, so that no thread reads from it.
      shared.pointee.heard.store(-1, ordering: .releasing)
      release(current)
      current = -1
      isOver = false
    }
    guard outgoing < 0 else { return }
    let next = offered
    guard next >= 0, sides[next].generation.load(ordering: .relaxed) >= leastGeneration,
      distanceToSplice <= 0, !isRising
    else { return }
    // A fade-out into a pause, or where the transport waits, ends first; the jump is then made in silence and stays at
    // its first sample.
    if isPausing(now), sides[next].splice.load(ordering: .relaxed) == CrossfadeSideShared.now { return }
    take(next, leastGeneration)
  }

  /// Whether it is set to pause, or the transport does not roll, and it has not faded out yet.
  @_noLocks
  private func isPausing(_ now: Int64) -> Bool {
    if isSilent { return false }
    if hasTransport, let transport { return transport.pointee.state.load(ordering: .relaxed) != rolling }
    return !(plays && start <= now)
  }

  /// Whether the current side is fading in; that ends before anything else begins.
  private var isRising: Bool {
    @_noLocks get {
      current >= 0 && !isOver && gate > 0 && rise > 0 && rise < fade.length && riseStep > 0
    }
  }

  /// The side on offer; −1: none. The disk thread has at most one on offer.
  var offered: Int {
    @_noLocks get {
      if commands != nil, gated.offer < 0 || !isOffered(gated.offer, gated.offerGeneration) {
        // The first generation, 1, is prepared in side 0 before the first cycle, and taken without a command.
        return current < 0 && isOffered(0, 1) ? 0 : -1
      }
      if commands != nil { return gated.offer }
      if current != 0 && sides[0].owner.load(ordering: .acquiring) == CrossfadeSideShared.Owner.offered {
        return 0
      }
      if current != 1 && sides[1].owner.load(ordering: .acquiring) == CrossfadeSideShared.Owner.offered {
        return 1
      }
      return -1
    }
  }

  /// Whether a side is on offer with this generation.
  @_noLocks
  private func isOffered(_ side: Int, _ generation: Int64) -> Bool {
    sides[side].owner.load(ordering: .acquiring) == CrossfadeSideShared.Owner.offered
      && sides[side].generation.load(ordering: .relaxed) == generation
  }

  /// Samples of the current side before the side on offer follows; 0 or less: it is due, or none is on offer.
  var distanceToSplice: Int64 {
    @_noLocks get {
      let next = offered
      guard next >= 0, current >= 0, !isOver,
        sides[current].generation.load(ordering: .relaxed) >= leastGeneration
      else { return 0 }
      let splice = sides[next].splice.load(ordering: .relaxed)
      return splice == CrossfadeSideShared.now ? 0 : splice &- ring(current).position
    }
  }

  /// Takes the side on offer: skips what of it is late, lets the side before fade out or gives it back, and reports
  /// the end of a side that is empty already.
  @_noLocks
  mutating func take(_ next: Int, _ leastGeneration: Int64) {
    let splice = sides[next].splice.load(ordering: .relaxed)
    guard
      sides[next].owner.compareExchange(
        expected: CrossfadeSideShared.Owner.offered, desired: CrossfadeSideShared.Owner.callback,
        ordering: .acquiringAndReleasing
      ).exchanged
    else { return }
    let before = current
    let isHeard = before >= 0 && rise > 0 && gate > 0 && !isOver
    let goesOn =
      before >= 0 && splice != CrossfadeSideShared.now
      && sides[before].generation.load(ordering: .relaxed) >= leastGeneration
    if goesOn {
      // The current side is beyond the splice: skips what has been heard already. `PlayerWorker` has checked before
      // the offer that the side holds more than that. In playback of a turn it does not check; a side that holds less
      // then repeats the rest.
      let late = Int(ring(before).position &- splice)
      if late > 0 { ring(next).consume(min(late, ring(next).available)) }
    }
    if isHeard {
      outgoing = before
      fall = rise
    }
    // The end of an empty side is reported if the track went on into it and the side before has not reported it, or
    // after a jump while playing without a transport.
    let counts = goesOn ? !isOver : plays && !hasTransport
    // In silence, the beginning of a track needs no fade-in, and while `gate` is 0 no side does.
    let isWhole = !isHeard && (gate == 0 || sides[next].isBeginning.load(ordering: .relaxed))
    current = next
    rise = isWhole ? fade.length : 0
    starves = false
    isOver = false
    // What was not found before this side came does not count any more.
    shared.pointee.lost.store(.min, ordering: .relaxed)
    shared.pointee.heard.store(Int64(next), ordering: .releasing)
    if before >= 0 && !isHeard { release(before) }
    if ring(next).isEnded { if counts { end() } else { isOver = true } }
  }

  @_noLocks
  func release(_ side: Int) {
    sides[side].owner.store(CrossfadeSideShared.Owner.control, ordering: .releasing)
  }

  @_noLocks
  func ring(_ side: Int) -> SampleRingReader { side == 0 ? firstRing : secondRing }

  /// Whether the next sample is the first of a track.
  var isAtBeginning: Bool {
    @_noLocks get { ring(current).position == 0 && sides[current].isBeginning.load(ordering: .relaxed) }
  }
}

/// Calls everything of the crossfade buffer that an audio callback may call: it does not compile if any of it could
/// allocate or lock. It is never run. [audio]
@_noLocks
func crossfadeAudit(_ reader: UnsafeMutablePointer<CrossfadeReader>, _ io: IO, _ cycle: Cycle) -> Bool {
  reader.pointee.render(io, cycle)
  return reader.pointee.finish().isSounding
}
