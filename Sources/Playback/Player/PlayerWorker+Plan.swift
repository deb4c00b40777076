import Realtime
import System

/// Plans where the next generation begins and which side it goes to. [one], [disk] while a show is live.
extension PlayerWorker {
  /// Begins to prepare the wanted generation: finds a side and opens the file.
  func begin() -> Next {
    if state.withLock({ $0.mustGather }) {
      gather()
      return .more
    }
    guard var plan = state.withLock({ plan(&$0) }) else {
      return state.withLock { $0.wanted == nil } ? .nothing : .soon
    }
    let began = crossfade.sample
    if plan.isAwaited || follower?.isThere == true {
      plan.playlist.settings.rate = 1
      plan.playlist.settings.section = nil
    }
    if plan.isAwaited {
      if let place = places.place(at: plan.base, in: plan.playlist) {
        plan.place = place
      } else {
        // Beyond the end nothing is heard.
        plan.playlist.files = []
        plan.playlist.arrange(first: nil)
      }
    }
    fillers[plan.side] = nil
    let opened = state.withLock { state in
      defer { state.opened = nil }
      return state.opened
    }
    // Uses the file that was opened for the command, instead of opening it again.
    let filler = SideFiller(
      plan.generation, side: plan.side, of: crossfade, plan.playlist, from: plan.place,
      isSplice: plan.splice != nil, hostRate: hostRate
    ) { [open] path throws(AudioError) in
      if let reader = opened?.take(path) { return reader }
      return try open(path)
    }
    opened?.close()
    let skipped = filler.takeSkipped()
    if !skipped.isEmpty { state.withLock { $0.skip(skipped) } }
    preparing = Preparing(
      filler: filler, splice: plan.splice, isBeginning: plan.isBeginning, base: plan.base,
      isAwaited: plan.isAwaited, began: began)
    return .more
  }

  /// The plan of a generation.
  private struct Plan {
    var generation: Int64
    var side: Int
    var playlist: Playlist
    var place: PlaylistPosition
    var splice: (generation: Int64, position: Int64)?
    var isBeginning = false
    var base: Int64 = 0
    var isAwaited = false
  }

  /// Reads the folders and playlists of the list.
  private func gather() {
    let (files, folders) = state.withLock { ($0.playlist.files, $0.gatherWithin) }
    let (tracks, leftOut) = listedTracks(of: files, within: folders)
    state.withLock { $0.gathered(files, tracks.map(\.path), leftOut: leftOut) }
  }

  /// Plans the wanted generation; nil if it has to wait or nothing is wanted.
  private func plan(_ state: inout PlayerState) -> Plan? {
    state.catchUp()
    guard let wanted = state.wanted else { return nil }
    if wanted.start == .goingOn, timing?.isReplay == true, turn == nil { return nil }
    if case .at(let place) = wanted.start { return plan(wanted.generation, at: place, &state) }
    if case .transport(let base) = wanted.start {
      var plan = plan(wanted.generation, at: PlaylistPosition(), &state)
      plan?.base = base
      plan?.isAwaited = true
      plan?.isBeginning = false
      return plan
    }
    if let offered = state.offered {
      // A splice on offer will be heard soon; many changes in a row must not delay it for ever.
      if offered.isSplice && isRealTime && crossfade.sounds && crossfade.plays { return nil }
      if crossfade.takeBack() != nil {
        state.timelines.removeAll { $0.generation == offered.generation }
        if !offered.isSplice { return again(wanted.generation, as: offered, &state) }
      }
    }
    guard let heard = crossfade.heard, let timeline = state.timeline(heard.generation),
      heard.generation >= state.leastGeneration,
      let filler = fillers[heard.side]
    else {
      if state.offered == nil { state.wanted = nil }
      return nil
    }
    guard let side = crossfade.freeSide else { return nil }
    var position = min(heard.position + Int64(hostRate / 16), filler.position - Int64(crossfade.fade))
    if let end = timeline.end { position = min(position, end - 2 * Int64(crossfade.fade)) }
    position = max(position, heard.position)
    let behind = turn?.behind ?? 0
    if let splice = turn?.splice { position = splice }
    let playlist =
      behind == 0 ? state.playlist : state.changes.dropLast(Int(clamping: behind)).last ?? state.playlist
    return Plan(
      generation: wanted.generation - behind, side: side, playlist: playlist,
      place: timeline.place(at: position),
      splice: (heard.generation, position), base: timeline.base + position)
  }

  /// Plans a generation that replaces one on offer, at the same start.
  private func again(_ generation: Int64, as offered: SideTimeline, _ state: inout PlayerState) -> Plan? {
    var plan = plan(generation, at: offered.start, &state)
    plan?.base = offered.base
    if follower?.isThere == true {
      // In the changed list another track may be at the transport's place.
      plan?.isAwaited = true
      plan?.isBeginning = false
    }
    return plan
  }

  private func plan(_ generation: Int64, at place: PlaylistPosition, _ state: inout PlayerState) -> Plan? {
    // The generation on offer is older.
    if crossfade.takeBack() != nil, let offered = state.offered {
      state.timelines.removeAll { $0.generation == offered.generation }
    }
    guard let side = crossfade.freeSide else { return nil }
    return Plan(
      generation: generation, side: side, playlist: state.playlist, place: place,
      isBeginning: place.isBeginning(in: state.playlist.settings.section))
  }
}
