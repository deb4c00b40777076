import Realtime
import System

/// The work of a player that touches disks: prepares generations, and keeps the sides full.
///
/// [one], [disk] while a show is live.
final class PlayerWorker {
  /// What there is to do after a step.
  enum Next {
    /// More, at once.
    case more
    /// Something that the callback must do first.
    case soon
    /// Nothing, until samples have been heard.
    case nothing
  }

  let crossfade: CrossfadeBuffer
  let hostRate: Int
  let isRealTime: Bool
  let state: Locked<PlayerState>
  let open: PlaylistReader.Opener
  private let follower: TransportFollower?
  var places: TransportMap
  /// The place of the transport that was prepared last.
  private var followed: Int64?
  var fillers: [SideFiller?] = [nil, nil]
  var preparing: Preparing?
  /// How turns are recorded or played back; nil: they are not.
  let timing: PlayerTiming?
  /// The turn that is being taken, while that lasts.
  private(set) var turn: PlayerTurn?

  /// A generation that is on its way to be offered.
  struct Preparing {
    let filler: SideFiller
    /// The generation that it goes on from, and where in it.
    let splice: (generation: Int64, position: Int64)?
    let isBeginning: Bool
    /// The place of the transport at its first sample.
    let base: Int64
    /// Whether the transport waits for it.
    let isAwaited: Bool
  }

  init(
    crossfade: CrossfadeBuffer, hostRate: Int, isRealTime: Bool, follower: TransportFollower?,
    state: Locked<PlayerState>, timing: PlayerTiming?,
    open: @escaping PlaylistReader.Opener
  ) {
    self.timing = timing
    self.follower = follower
    places = TransportMap(hostRate: hostRate, open: open)
    self.crossfade = crossfade
    self.hostRate = hostRate
    self.isRealTime = isRealTime
    self.state = state
    self.open = open
  }

  /// Whether a generation that is being prepared has found a file that can be played.
  var hasSound: Bool { preparing?.filler.hasSound ?? false }

  /// Does one small piece of work.
  func step() -> Next {
    follow()
    closeFiles()
    if let filler = heard, filler.filled < crossfade.enough, fill(filler) { return .more }
    switch prepare() {
    case .more: return .more
    case .soon:
      _ = fillAll()
      return .soon
    case .nothing: return fillAll() ? .more : .nothing
    }
  }

  /// Whether the callback has what it needs for its next cycle, as far as that depends on this side.
  var isReady: Bool {
    follow()
    let isWaiting = state.withLock { $0.wanted != nil }
    guard !isWaiting, preparing == nil else { return false }
    guard let filler = next else { return true }
    return filler.isOver || filler.filled >= crossfade.enough
  }

  // MARK: - Transport

  /// Sees where the host's transport wants to be, and asks it what is to be asked.
  private func follow() {
    guard let follower else { return }
    if let (place, playlist) = state.withLock({ $0.takeLeading() }) {
      follower.ask(.locate(places.sample(of: place, in: playlist)))
    }
    guard follower.isThere else {
      followed = nil
      return
    }
    let wanted = follower.wanted
    let lost = crossfade.takeLost()
    if wanted != followed {
      followed = wanted
      state.withLock { $0.go(to: wanted) }
    } else if let lost {
      state.withLock { $0.go(to: lost) }
    }
  }

  // MARK: - Filling

  /// The generation that is heard, as long as it should be.
  private var heard: SideFiller? {
    guard let heard = crossfade.heard, let filler = fillers[heard.side], filler.number == heard.generation
    else { return nil }
    return filler.number >= state.withLock { $0.leastGeneration } ? filler : nil
  }

  /// The generation that is on offer, else the one that is heard.
  private var next: SideFiller? {
    let last = state.withLock { $0.timelines.last?.generation }
    return fillers.compactMap { $0 }.first { $0.number == last }
  }

  private func fillAll() -> Bool {
    if let filler = heard, fill(filler) { return true }
    guard let filler = next, filler.number >= state.withLock({ $0.leastGeneration }) else {
      state.withLock { $0.catchUp() }
      return false
    }
    return fill(filler)
  }

  /// Decodes a block of a generation that has been offered.
  private func fill(_ filler: SideFiller) -> Bool {
    let before = filler.nonFinite
    let moved = filler.step()
    let skipped = filler.takeSkipped()
    let update = filler.takeUpdate()
    state.withLock { state in
      state.extend(update)
      state.skip(skipped)
      state.nonFinite += filler.nonFinite - before
      state.catchUp()
    }
    filler.publish()
    return moved
  }

  /// Closes the files of a player that rests.
  private func closeFiles() {
    let isResting = state.withLock { $0.resting != nil }
    guard isResting else { return }
    preparing = nil
    if crossfade.takeBack() != nil || crossfade.heard == nil {
      fillers = [nil, nil]
      state.withLock { state in if state.resting != nil { state.timelines.removeAll() } }
    }
  }

  // MARK: - Preparing

  private func prepare() -> Next {
    if let preparing, !state.withLock({ isWanted(preparing, $0) }) { self.preparing = nil }
    if preparing == nil {
      let next = begin()
      guard preparing != nil else { return next }
    }
    guard let preparing else { return .nothing }
    if isHeld(preparing), preparing.filler.isOver || preparing.filler.filled >= crossfade.enough {
      return .nothing
    }
    if !preparing.filler.isOver && preparing.filler.filled < crossfade.enough {
      _ = preparing.filler.step()
      preparing.filler.publish()
      guard !isHeld(preparing), preparing.filler.isOver || preparing.filler.filled >= crossfade.enough else {
        return .more
      }
    }
    offer(preparing)
    return .more
  }

  /// Whether what is being prepared waits for its turn in a show that is played back; what comes before the first cycle
  /// waits for nothing.
  private func isHeld(_ preparing: Preparing) -> Bool {
    timing?.isReplay == true && turn == nil && preparing.filler.number > 1
  }

  /// Takes the turn of a show that is played back: prepares what is wanted, and offers it.
  func take(_ turn: PlayerTurn) {
    self.turn = turn
    defer { self.turn = nil }
    // What goes on at the same place follows where it did when it was recorded.
    if turn.splice != nil { preparing = nil }
    guard let wanted = state.withLock({ $0.wanted?.generation }) else { return }
    while state.withLock({ $0.timelines.last?.generation }) != wanted - turn.behind, prepare() == .more {}
  }

  /// Whether what is being prepared should still be heard: also a change of what goes on that another has followed, or
  /// a storm of them would put all of them off.
  private func isWanted(_ preparing: Preparing, _ state: PlayerState) -> Bool {
    guard let wanted = state.wanted else { return false }
    return wanted.generation == preparing.filler.number
      || preparing.splice != nil && wanted.start == .goingOn
        && preparing.filler.number > state.leastGeneration
  }

  private func offer(_ ready: Preparing) {
    let filler = ready.filler
    // When it was recorded it was not late, or as late as it is now.
    if turn == nil, isLate(ready), filler.step() {
      // More of it catches up with what is heard meanwhile.
      filler.publish()
      return
    }
    let skipped = filler.takeSkipped()
    let update = filler.takeUpdate()
    preparing = nil
    // Commands pass on another side of the same lock: first that, then this one.
    if let timing, !timing.isReplay, filler.number > 1 {
      timing.gate.perform { number in
        let wanted = state.withLock { $0.wanted?.generation } ?? filler.number
        guard offer(ready, update, skipped) else { return }
        timing.ready(
          number, PlayerTurn(splice: ready.splice?.position, behind: max(0, wanted - filler.number)))
      }
    } else {
      _ = offer(ready, update, skipped)
    }
  }

  /// Offers what is ready, if it should still be heard; says whether it has.
  private func offer(_ ready: Preparing, _ update: SideTimeline, _ skipped: [AudioError]) -> Bool {
    let filler = ready.filler
    return state.withLock { state in
      state.skip(skipped)
      guard isWanted(ready, state) else { return false }
      if let splice = ready.splice {
        // What it follows is gone: it is begun again.
        guard let heard = crossfade.heard, heard.generation == splice.generation,
          let timeline = state.timeline(heard.generation)
        else {
          return false
        }
        guard turn != nil || !isLate(ready) else {
          // Too late by more than a side holds: it cannot go on without a gap, but it can go on.
          state.wanted?.start = .at(timeline.place(at: heard.position))
          return false
        }
      }
      var update = update
      update.base = ready.base
      state.offer(update)
      state.nonFinite += filler.nonFinite
      fillers[filler.side] = filler
      crossfade.offer(
        filler.side, generation: filler.number, splice: ready.splice?.position,
        isBeginning: ready.isBeginning,
        base: ready.base)
      if ready.isAwaited { follower?.isReady(for: ready.base) }
      return true
    }
  }

  /// Whether what is heard has come so far that it may run past the end of what should follow it.
  private func isLate(_ ready: Preparing) -> Bool {
    guard let splice = ready.splice, !ready.filler.isOver, let heard = crossfade.heard,
      heard.generation == splice.generation
    else { return false }
    return heard.position + Int64(crossfade.enough / 2) >= splice.position + ready.filler.position
  }
}
