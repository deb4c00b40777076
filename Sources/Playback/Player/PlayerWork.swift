import Realtime
import System

/// The work of a player that touches disks: prepares turns, and keeps the lanes full.
///
/// [one], [disk] while a show is live.
final class PlayerWork {
  /// What there is to do after a step.
  enum Next {
    /// More, at once.
    case more
    /// Something that the callback must do first.
    case soon
    /// Nothing, until samples have been heard.
    case nothing
  }

  private let deck: Deck
  private let hostRate: Int
  private let isRealTime: Bool
  private let state: Locked<PlayerState>
  private let open: TrackWalk.Opener
  private let following: Following?
  private var places: TransportPlaces
  /// The place of the transport that was prepared last.
  private var followed: Int64?
  private var turns: [Turn?] = [nil, nil]
  private var preparing: Preparing?

  /// A turn that is on its way to be offered.
  private struct Preparing {
    let turn: Turn
    /// The turn that it goes on from, and where in it.
    let splice: (turn: Int64, position: Int64)?
    let isBeginning: Bool
    /// The place of the transport at its first sample.
    let base: Int64
    /// Whether the transport waits for it.
    let isAwaited: Bool
  }

  init(
    deck: Deck, hostRate: Int, isRealTime: Bool, following: Following?, state: Locked<PlayerState>,
    open: @escaping TrackWalk.Opener
  ) {
    self.following = following
    places = TransportPlaces(hostRate: hostRate, open: open)
    self.deck = deck
    self.hostRate = hostRate
    self.isRealTime = isRealTime
    self.state = state
    self.open = open
  }

  /// Whether a turn that is being prepared has found a file that can be played.
  var hasSound: Bool { preparing?.turn.hasSound ?? false }

  /// Does one small piece of work.
  func step() -> Next {
    follow()
    letGo()
    if let turn = heard, turn.filled < deck.enough, fill(turn) { return .more }
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
    guard let turn = next else { return true }
    return turn.isOver || turn.filled >= deck.enough
  }

  // MARK: - Transport

  /// Sees where the host's transport wants to be, and asks it what is to be asked.
  private func follow() {
    guard let following else { return }
    if let (place, program) = state.withLock({ $0.takeLeading() }) {
      following.ask(.locate(places.sample(of: place, in: program)))
    }
    guard following.isThere else {
      followed = nil
      return
    }
    let wanted = following.wanted
    let lost = deck.takeLost()
    if wanted != followed {
      followed = wanted
      state.withLock { $0.go(to: wanted) }
    } else if let lost {
      state.withLock { $0.go(to: lost) }
    }
  }

  // MARK: - Filling

  /// The turn that is heard, as long as it shall be.
  private var heard: Turn? {
    guard let heard = deck.heard, let turn = turns[heard.lane], turn.number == heard.turn else { return nil }
    return turn.number >= state.withLock { $0.called } ? turn : nil
  }

  /// The turn that is on offer, else the one that is heard.
  private var next: Turn? {
    let last = state.withLock { $0.trails.last?.turn }
    return turns.compactMap { $0 }.first { $0.number == last }
  }

  private func fillAll() -> Bool {
    if let turn = heard, fill(turn) { return true }
    guard let turn = next, turn.number >= state.withLock({ $0.called }) else {
      state.withLock { $0.catchUp() }
      return false
    }
    return fill(turn)
  }

  /// Decodes a block of a turn that has been offered.
  private func fill(_ turn: Turn) -> Bool {
    let before = turn.nonFinite
    let moved = turn.step()
    let skipped = turn.takeSkipped()
    let news = turn.takeNews()
    state.withLock { state in
      state.extend(news)
      state.skip(skipped)
      state.nonFinite += turn.nonFinite - before
      state.catchUp()
    }
    turn.publish()
    return moved
  }

  /// Closes the files of a player that rests.
  private func letGo() {
    let isResting = state.withLock { $0.resting != nil }
    guard isResting else { return }
    preparing = nil
    if deck.takeBack() != nil || deck.heard == nil {
      turns = [nil, nil]
      state.withLock { state in if state.resting != nil { state.trails.removeAll() } }
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
    if !preparing.turn.isOver && preparing.turn.filled < deck.enough {
      _ = preparing.turn.step()
      preparing.turn.publish()
      guard preparing.turn.isOver || preparing.turn.filled >= deck.enough else { return .more }
    }
    offer(preparing)
    return .more
  }

  /// Whether what is being prepared shall still be heard: also a change of what goes on that another has followed, or a
  /// storm of them would put all of them off.
  private func isWanted(_ preparing: Preparing, _ state: PlayerState) -> Bool {
    guard let wanted = state.wanted else { return false }
    return wanted.turn == preparing.turn.number
      || preparing.splice != nil && wanted.start == .goingOn && preparing.turn.number > state.called
  }

  private func offer(_ ready: Preparing) {
    let turn = ready.turn
    if isLate(ready), turn.step() {
      // More of it catches up with what is heard meanwhile.
      turn.publish()
      return
    }
    let skipped = turn.takeSkipped()
    let news = turn.takeNews()
    preparing = nil
    state.withLock { state in
      state.skip(skipped)
      guard isWanted(ready, state) else { return }
      if let splice = ready.splice {
        // What it follows is gone: it is begun again.
        guard let heard = deck.heard, heard.turn == splice.turn, let trail = state.trail(heard.turn) else {
          return
        }
        guard !isLate(ready) else {
          // Too late by more than a lane holds: it cannot go on without a gap, but it can go on.
          state.wanted?.start = .at(trail.place(at: heard.position))
          return
        }
      }
      var news = news
      news.base = ready.base
      state.offer(news)
      state.nonFinite += turn.nonFinite
      turns[turn.lane] = turn
      deck.offer(
        turn.lane, turn: turn.number, splice: ready.splice?.position, isBeginning: ready.isBeginning,
        base: ready.base)
      if ready.isAwaited { following?.isReady(for: ready.base) }
    }
  }

  /// Whether what is heard has come so far that it may run past the end of what shall follow it.
  private func isLate(_ ready: Preparing) -> Bool {
    guard let splice = ready.splice, !ready.turn.isOver, let heard = deck.heard, heard.turn == splice.turn
    else { return false }
    return heard.position + Int64(deck.enough / 2) >= splice.position + ready.turn.position
  }

  /// Begins to prepare what is wanted: finds a lane, and opens the file.
  func begin() -> Next {
    if state.withLock({ $0.mustGather }) {
      gather()
      return .more
    }
    guard var plan = state.withLock({ plan(&$0) }) else {
      return state.withLock { $0.wanted == nil } ? .nothing : .soon
    }
    if plan.isAwaited {
      plan.program.rate = 1
      plan.program.section = nil
      if let place = places.place(at: plan.base, in: plan.program) {
        plan.place = place
      } else {
        // Beyond the end there is nothing to hear.
        plan.program.files = []
        plan.program.arrange(first: nil)
      }
    }
    turns[plan.lane] = nil
    let turn = Turn(
      plan.turn, lane: plan.lane, of: deck, plan.program, from: plan.place, isSplice: plan.splice != nil,
      hostRate: hostRate, open: open)
    let skipped = turn.takeSkipped()
    if !skipped.isEmpty { state.withLock { $0.skip(skipped) } }
    preparing = Preparing(
      turn: turn, splice: plan.splice, isBeginning: plan.isBeginning, base: plan.base,
      isAwaited: plan.isAwaited)
    return .more
  }

  /// What it takes to prepare a turn.
  private struct Plan {
    var turn: Int64
    var lane: Int
    var program: Program
    var place: Place
    var splice: (turn: Int64, position: Int64)?
    var isBeginning = false
    var base: Int64 = 0
    var isAwaited = false
  }

  /// Looks into folders and playlists that were named to be played.
  private func gather() {
    let (files, folders) = state.withLock { ($0.program.files, $0.gatherWithin) }
    let paths = tracks(of: files, within: folders).tracks.map(\.path)
    state.withLock { state in
      guard state.mustGather, state.program.files == files else { return }
      state.mustGather = false
      let before = Place(track: state.program.first)
      if !paths.isEmpty { state.program.files = paths }
      state.program.arrange(first: nil)
      if state.wanted?.start == .at(before) { state.wanted?.start = .at(Place(track: state.program.first)) }
    }
  }

  /// Settles where the wanted turn begins and which lane it goes to; nil where it must wait or nothing is wanted.
  private func plan(_ state: inout PlayerState) -> Plan? {
    state.catchUp()
    guard let wanted = state.wanted else { return nil }
    if case .at(let place) = wanted.start { return plan(wanted.turn, at: place, &state) }
    if case .transport(let base) = wanted.start {
      var plan = plan(wanted.turn, at: Place(), &state)
      plan?.base = base
      plan?.isAwaited = true
      plan?.isBeginning = false
      return plan
    }
    if let offered = state.offered {
      // What is on its way will be heard in a moment; a storm of changes must not put it off for ever.
      if offered.isSplice && isRealTime && deck.sounds && deck.plays { return nil }
      if deck.takeBack() != nil {
        state.trails.removeAll { $0.turn == offered.turn }
        if !offered.isSplice { return again(wanted.turn, as: offered, &state) }
      }
    }
    guard let heard = deck.heard, let trail = state.trail(heard.turn), heard.turn >= state.called,
      let turn = turns[heard.lane]
    else {
      if state.offered == nil { state.wanted = nil }
      return nil
    }
    guard let lane = deck.freeLane else { return nil }
    var position = min(heard.position + Int64(hostRate / 16), turn.position - Int64(deck.fade))
    if let end = trail.end { position = min(position, end - 2 * Int64(deck.fade)) }
    position = max(position, heard.position)
    return Plan(
      turn: wanted.turn, lane: lane, program: state.program, place: trail.place(at: position),
      splice: (heard.turn, position), base: trail.base + position)
  }

  /// What was on offer and has not been taken begins where it did.
  private func again(_ turn: Int64, as offered: Trail, _ state: inout PlayerState) -> Plan? {
    var plan = plan(turn, at: offered.start, &state)
    plan?.base = offered.base
    return plan
  }

  private func plan(_ turn: Int64, at place: Place, _ state: inout PlayerState) -> Plan? {
    // What is on offer is older.
    if deck.takeBack() != nil, let offered = state.offered {
      state.trails.removeAll { $0.turn == offered.turn }
    }
    guard let lane = deck.freeLane else { return nil }
    return Plan(
      turn: turn, lane: lane, program: state.program, place: place,
      isBeginning: place.isBeginning(in: state.program.section))
  }
}
