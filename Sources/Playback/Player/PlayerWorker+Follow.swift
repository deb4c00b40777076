import Realtime
import System

/// Follows the host's transport. [one], [disk] while a show is live.
extension PlayerWorker {
  /// What of the transport was followed last.
  struct Followed {
    /// The place, in samples, for which followers should have been ready.
    var wanted: Int64
    /// How often the transport had begun to roll; nil if it rolled.
    var starts: UInt32?
  }

  /// Notices where the transport wants to be, or is, and passes requests to it.
  func follow() {
    guard let follower else { return }
    if let (place, playlist) = state.withLock({ $0.takeLeading() }) {
      follower.ask(.locate(places.sample(of: place, in: playlist)))
    }
    guard follower.isThere else {
      followed = nil
      return
    }
    // `starts` first: a start after that differs in the next call.
    let starts = follower.starts
    let isRolling = follower.isRolling
    let wanted = follower.wanted
    // While a generation for another place is on its way, a lost place does not begin one more: in every cycle before
    // the callback takes a side, a place is lost. Read before `takeLost`, as the callback clears what is lost before it
    // shows that it has taken a side.
    let isGoing = state.withLock { $0.isGoing }
    let lost = crossfade.takeLost()
    // A player that has rolled has left the place for which it was ready, even if that is wanted again.
    if wanted != followed?.wanted || !isRolling && starts != followed?.starts {
      followed = Followed(wanted: wanted, starts: isRolling ? nil : starts)
      state.withLock { $0.go(to: isRolling ? follower.sample : wanted) }
    } else if let lost, isRolling, !isGoing {
      state.withLock { $0.go(to: lost) }
    }
  }

  /// Whether the transport may have passed all of a prepared generation when the callback takes it.
  func isPassed(_ ready: Preparing) -> Bool {
    guard let follower, follower.isRolling, !ready.filler.isOver else { return false }
    return follower.sample + Int64(crossfade.enough / 2) >= ready.base + ready.filler.position
  }

  /// The place of the transport for a generation instead of one that came too late. The next one takes about as long to
  /// prepare, and a side for a place that is still to come waits for it.
  func laterStart(than late: Preparing) -> Int64 {
    (follower?.sample ?? late.base) + max(0, crossfade.sample - late.began)
  }
}

extension PlayerState {
  /// Whether a generation that does not continue the one that is heard is being prepared or on offer.
  var isGoing: Bool {
    if let wanted { return wanted.start != .goingOn }
    return offered?.isSplice == false
  }

  /// Starts a generation at the place, in samples, that the host's transport is at or wants; the player is not ready to
  /// roll before it is prepared.
  mutating func go(to place: Int64) {
    begin(.transport(place))
    follower?.isReady(for: -1)
  }
}
