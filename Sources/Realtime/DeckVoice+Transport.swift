import CRealtime
import Synchronization

/// When a voice may sound: as it was told to, or as the transport of the sound server has it. [audio]
extension DeckVoice {
  /// Whether sound is wanted at sample `at` of the segment; shortens the piece to where that may change.
  @_noLocks
  mutating func wantsSound(_ at: Int, _ cycle: Cycle, _ count: inout Int) -> Bool {
    if hasTransport, let transport {
      let state = transport.pointee.state.load(ordering: .relaxed)
      guard state == rolling else { return false }
      let offset = Int64(cycle.segment.pointee.offset) &+ Int64(at)
      return follows(transport.pointee.frame.load(ordering: .relaxed) &+ offset, &count)
    }
    guard words.pointee.plays.load(ordering: .acquiring) else { return false }
    let start = words.pointee.start.load(ordering: .relaxed)
    let now = cycle.sample &+ Int64(at)
    if start <= now { return true }
    count = Int(min(Int64(count), start &- now))
    return false
  }

  /// Whether the transport of the sound server decides.
  var hasTransport: Bool {
    @_noLocks get {
      guard let transport else { return false }
      return transport.pointee.state.load(ordering: .relaxed) != noTransport
    }
  }

  /// Whether the lane can sound at a place of the transport: it is there, or can be brought there in silence.
  @_noLocks
  mutating func follows(_ place: Int64, _ count: inout Int) -> Bool {
    guard current >= 0 else {
      words.pointee.lost.store(place, ordering: .releasing)
      return false
    }
    let ring = ring(current)
    let ahead = place &- lanes[current].base.load(ordering: .relaxed) &- ring.position
    if ahead == 0 { return true }
    if ahead < 0 && ring.position == 0 {
      // The lane was prepared for a place that is yet to come.
      if gate == 0 { count = Int(min(Int64(count), 0 &- ahead)) }
      return false
    }
    if gate > 0 && !isOver { return false }
    if ahead > 0 {
      if isOver { return true }
      // Its end is no place in it: it would count as played.
      if ahead < Int64(ring.available) {
        ring.consume(Int(ahead))
        return true
      }
    }
    words.pointee.lost.store(place, ordering: .releasing)
    return false
  }
}
