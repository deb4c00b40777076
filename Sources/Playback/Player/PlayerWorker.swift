import Realtime
import System

/// The part of a player that accesses disks: prepares generations and keeps the sides full. [one], [disk] while a show
/// is live.
final class PlayerWorker {
  /// What remains to be done after a step.
  enum Next {
    /// More, at once.
    case more
    /// Nothing, until the callback has done something first.
    case soon
    /// Nothing, until samples have been heard.
    case nothing
  }

  let crossfade: CrossfadeBuffer
  let hostRate: Int
  let isRealTime: Bool
  let state: Locked<PlayerState>
  let open: PlaylistReader.Opener
  let follower: TransportFollower?
  var places: TransportMap
  /// What of the transport was followed last; nil without a transport.
  var followed: Followed?
  var fillers: [SideFiller?] = [nil, nil]
  var preparing: Preparing?
  /// Records or plays back turns; nil: neither.
  let timing: PlayerTiming?
  /// The turn that is being played back.
  private(set) var turn: PlayerTurn?

  /// A generation that is being prepared, before it is offered.
  struct Preparing {
    let filler: SideFiller
    /// The generation that it continues, and the sample of that one at which it begins.
    let splice: (generation: Int64, position: Int64)?
    let isBeginning: Bool
    /// The place of the transport at its first sample.
    let base: Int64
    /// Whether it begins at a place of the host's transport, which waits for it unless it rolls.
    let isAwaited: Bool
    /// The samples of the timeline before its files were opened.
    let began: Int64
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

  /// Whether the generation being prepared has a file that can be played.
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

  /// Whether everything that this worker prepares for the next cycle is ready.
  var isReady: Bool {
    follow()
    let isWaiting = state.withLock { $0.wanted != nil }
    guard !isWaiting, preparing == nil else { return false }
    guard let filler = next else { return true }
    return filler.isOver || filler.filled >= crossfade.enough
  }

  // MARK: - Filling

  /// The filler of the generation that is heard, unless it is invalid.
  private var heard: SideFiller? {
    guard let heard = crossfade.heard, let filler = fillers[heard.side], filler.number == heard.generation
    else { return nil }
    return filler.number >= state.withLock { $0.leastGeneration } ? filler : nil
  }

  /// The filler of the generation on offer, otherwise of the one that is heard.
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

  /// Closes the files of a stopped player.
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

  /// Whether the generation being prepared has to wait for its turn in a show that is played back; the first one never
  /// waits.
  private func isHeld(_ preparing: Preparing) -> Bool {
    timing?.isReplay == true && turn == nil && preparing.filler.number > 1
  }

  /// Plays back a turn: prepares the wanted generation, and offers it.
  func take(_ turn: PlayerTurn) {
    self.turn = turn
    defer { self.turn = nil }
    // A generation that continues at the same place begins where it did when it was recorded.
    if turn.splice != nil { preparing = nil }
    guard let wanted = state.withLock({ $0.wanted?.generation }) else { return }
    while state.withLock({ $0.timelines.last?.generation }) != wanted - turn.behind, prepare() == .more {}
  }

  /// Whether the generation being prepared should still be heard. One that continues at the same place should, even if
  /// a newer change has followed: otherwise many changes in a row would delay all of them.
  private func isWanted(_ preparing: Preparing, _ state: PlayerState) -> Bool {
    guard let wanted = state.wanted else { return false }
    return wanted.generation == preparing.filler.number
      || preparing.splice != nil && wanted.start == .goingOn
        && preparing.filler.number > state.leastGeneration
  }

  private func offer(_ ready: Preparing) {
    let filler = ready.filler
    // During playback of a turn lateness is not checked: the recording decides.
    if turn == nil, isLate(ready), filler.step() {
      // Decoding more of it catches up with what is heard meanwhile.
      filler.publish()
      return
    }
    let skipped = filler.takeSkipped()
    let update = filler.takeUpdate()
    preparing = nil
    // Lock order: the gate first, then the state, as commands take them.
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

  /// Offers a prepared generation, if it should still be heard. Returns whether it has.
  private func offer(_ ready: Preparing, _ update: SideTimeline, _ skipped: [AudioError]) -> Bool {
    let filler = ready.filler
    return state.withLock { state in
      state.skip(skipped)
      guard isWanted(ready, state) else { return false }
      if turn == nil, ready.isAwaited, isLate(ready) {
        // The transport has passed more than a side holds.
        state.go(to: laterStart(than: ready))
        return false
      }
      if let splice = ready.splice {
        // The generation that it continues is gone: it is prepared again.
        guard let heard = crossfade.heard, heard.generation == splice.generation,
          let timeline = state.timeline(heard.generation)
        else {
          return false
        }
        guard turn != nil || !isLate(ready) else {
          // It is late by more than a side holds, so it cannot continue without a gap: it jumps to the place that is
          // heard.
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
      // While it rolls, the player leaves the place at once, and is not ready for another locate to it.
      if ready.isAwaited, let follower, !follower.isRolling {
        follower.isReady(for: ready.base)
        // Where it began to roll in between, readiness was withdrawn too early.
        if follower.isRolling { follower.isReady(for: -1) }
      }
      return true
    }
  }

  /// Whether the generation that is heard, or the host's transport, may run past the end of what is prepared.
  private func isLate(_ ready: Preparing) -> Bool {
    if ready.isAwaited { return isPassed(ready) }
    guard let splice = ready.splice, !ready.filler.isOver, let heard = crossfade.heard,
      heard.generation == splice.generation
    else { return false }
    return heard.position + Int64(crossfade.enough / 2) >= splice.position + ready.filler.position
  }
}
