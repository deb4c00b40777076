import CRealtime
import Realtime
import Synchronization

/// Whether the reader may sound: as it is set, or as the sound server's transport decides. [audio]
extension CrossfadeReader {
  /// Whether it should sound at sample `at` of the segment. Shortens `count` to the next change of that. With a
  /// transport it goes to that one's place (`goTo`).
  @_noLocks
  mutating func wantsSound(_ at: Int, _ cycle: Cycle, _ count: inout Int) -> Bool {
    if hasTransport, let transport {
      let state = transport.pointee.state.load(ordering: .relaxed)
      guard state == rolling else { return false }
      let offset = Int64(cycle.segment.pointee.offset) &+ Int64(at)
      return goTo(transport.pointee.sample.load(ordering: .relaxed) &+ offset, &count)
    }
    guard plays else { return false }
    let start = start
    let now = cycle.sample &+ Int64(at)
    if start <= now { return true }
    count = Int(min(Int64(count), start &- now))
    return false
  }

  /// Whether the sound server's transport decides.
  var hasTransport: Bool {
    @_noLocks get {
      guard let transport else { return false }
      return transport.pointee.state.load(ordering: .relaxed) != noTransport
    }
  }

  /// Goes to a place of the transport: skips to it in silence where the current side has it. Returns whether the side
  /// can sound there. A place that it does not have is left in `lost` for the disk thread (`CrossfadeBuffer.takeLost`).
  @_noLocks
  mutating func goTo(_ place: Int64, _ count: inout Int) -> Bool {
    guard current >= 0 else {
      shared.pointee.lost.store(place, ordering: .releasing)
      return false
    }
    let ring = ring(current)
    let ahead = place &- sides[current].base.load(ordering: .relaxed) &- ring.position
    if ahead == 0 { return true }
    if ahead < 0 && ring.position == 0 {
      // The side begins at a later place.
      if gate == 0 { count = Int(min(Int64(count), 0 &- ahead)) }
      return false
    }
    if gate > 0 && !isOver { return false }
    if ahead > 0 {
      if isOver { return true }
      // Does not skip to the side's end, as that would count as having played it.
      if ahead < Int64(ring.available) {
        ring.consume(Int(ahead))
        // Skips on until there are enough samples for a fade-in and the fade-out after it: `limit` relies on as many.
        return ring.end != nil || ring.available >= count &+ 2 &* fade.length
      }
    }
    shared.pointee.lost.store(place, ordering: .releasing)
    return false
  }
}
