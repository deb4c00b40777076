import Realtime

/// The state of a player: what should be played, what is being prepared, and what has been heard. [one]
///
/// It is behind a lock that is held only briefly: no disk is accessed here.
struct PlayerState {
  /// A generation that has to be prepared.
  struct Wanted: Equatable {
    var generation: Int64
    var start: Start
  }

  /// Where a generation begins.
  enum Start: Equatable {
    case at(PlaylistPosition)
    /// Where the generation before is at that time, without a gap.
    case goingOn
    /// At a place of the host's transport, in samples.
    case transport(Int64)
  }

  let crossfade: CrossfadeBuffer
  let hostRate: Int
  var playlist: Playlist
  /// Whether the list has folders and playlists that have not been read yet.
  var mustGather = false
  /// Real paths of folders that links in them may not leave; empty: anywhere.
  var gatherWithin: [String] = []
  let follower: TransportFollower?
  let leads: Bool
  /// A place to which the host's transport is to be asked to go.
  private var leading: PlaylistPosition?

  /// The number of the newest generation.
  var generation: Int64 = 0
  /// The oldest generation that may be heard.
  private(set) var leastGeneration: Int64 = 0
  /// The generation to prepare; only the newest.
  var wanted: Wanted?
  /// The timelines of the generation that is heard and of the one on offer.
  var timelines: [SideTimeline] = []
  /// The place of a stopped player, while nothing is prepared.
  var resting: PlaylistPosition?
  var isPlaying = false
  var isOver = false
  /// Whether it was stopped and not only paused. Going to another track keeps this, seeking clears it.
  var isStopped = false
  var isInterrupted = false
  var fault: AudioError?
  var nonFinite = 0
  /// Number of files that could not be played or broke off.
  fileprivate(set) var errors = 0
  var log = EventLog()
  /// The segment that was heard last.
  fileprivate(set) var segment: TimelineSegment?
  /// The fault of the first file that cannot be played.
  private(set) var firstSkipped: AudioError?
  /// Paths of the list whose faults have been reported, and the first entry that was left out.
  var (skipped, leftOut): (Set<String>, ListError?) = ([], nil)
  /// The file that was opened for the last command, until it is played.
  var opened: OpenedCommand?
  /// The playlists of the latest changes that go on at the same place, oldest first.
  private(set) var changes: [Playlist] = []

  init(
    _ playlist: Playlist, follower: TransportFollower?, crossfade: CrossfadeBuffer, hostRate: Int
  ) {
    (self.playlist, self.follower, self.crossfade) = (playlist, follower, crossfade)
    self.hostRate = hostRate
    leads = playlist.settings.transport == .lead
  }

  // MARK: - Position

  /// The timeline of a generation.
  func timeline(_ generation: Int64) -> SideTimeline? { timelines.first { $0.generation == generation } }

  /// The generation on offer, or the one that the callback has taken without this state having noticed.
  var offered: SideTimeline? {
    guard let last = timelines.last, last.generation != crossfade.heard?.generation else { return nil }
    return last
  }

  /// Its place, with all commands so far taken into account.
  var here: PlaylistPosition {
    if case .at(let place)? = wanted?.start { return place }
    if let resting { return resting }
    let heard = crossfade.heard
    if let last = timelines.last, last.generation != heard?.generation, !last.isSplice { return last.start }
    if let heard, let timeline = timeline(heard.generation) { return timeline.place(at: heard.position) }
    return timelines.last?.start ?? PlaylistPosition(track: playlist.first)
  }

  /// Why the generation on offer ended before its first sample, if it did. The callback never plays such an end.
  var brokenAtOnce: AudioError? {
    guard let last = timelines.last, last.end == 0, !last.isSplice else { return nil }
    return last.endedBy
  }

  /// Format and tags of a track, as far as known.
  func format(of track: Int) -> (AudioFormat, AudioTags)? {
    let path = playlist.path(track)
    let segments =
      [segment].compactMap { $0 }
      + timelines.reversed().flatMap { $0.segments.prefix(1) + $0.segments.suffix(1) }
    return segments.first { $0.path == path }.map { ($0.format, $0.tags) }
  }

  /// A place in seconds of its track.
  func seconds(_ place: PlaylistPosition) -> Double {
    let format = format(of: place.track)?.0
    let seconds = place.seconds(rate: format?.rate, beginning: playlist.settings.section?.lowerBound ?? 0)
    return max(0, min(seconds, format?.duration ?? .infinity))
  }

  // MARK: - Generations

  /// Starts a generation at a place; the current one fades out.
  mutating func jump(to place: PlaylistPosition) { begin(.at(place)) }

  /// Starts a generation; the current one fades out.
  mutating func begin(_ start: Start) {
    isOver = false
    resting = nil
    generation += 1
    wanted = Wanted(generation: generation, start: start)
    invalidateOlder()
  }

  /// Requests that the host's transport goes to a place.
  mutating func lead(to place: PlaylistPosition) { leading = place }

  /// Takes the request for the host's transport.
  mutating func takeLeading() -> (PlaylistPosition, Playlist)? {
    guard let place = leading else { return nil }
    leading = nil
    return (place, playlist)
  }

  /// Continues at the current place with the changed playlist.
  mutating func goOn() {
    guard resting == nil, !isOver else { return }
    generation += 1
    changes = changes.suffix(63) + [playlist]
    guard let before = wanted else {
      if !timelines.isEmpty { wanted = Wanted(generation: generation, start: .goingOn) }
      return
    }
    wanted = Wanted(generation: generation, start: before.start)
    if before.start != .goingOn { invalidateOlder() }
  }

  /// Fades out and releases everything, at a place.
  mutating func rest(at place: PlaylistPosition) {
    isOver = false
    generation += 1
    wanted = nil
    opened = nil
    resting = place
    invalidateOlder()
  }

  /// Makes all generations but the newest fade out.
  mutating func invalidateOlder() {
    leastGeneration = generation
    crossfade.invalidate(before: generation)
  }

  // MARK: - Timelines

  /// Adds what a generation has decoded to its timeline.
  mutating func extend(_ update: SideTimeline) {
    guard let i = timelines.firstIndex(where: { $0.generation == update.generation }) else { return }
    note(update.segments)
    timelines[i].segments += update.segments.prefix(
      max(0, SideTimeline.mostSegments - timelines[i].segments.count))
    timelines[i].timedEvents += update.timedEvents.prefix(
      max(0, SideTimeline.mostSegments - timelines[i].timedEvents.count))
    timelines[i].end = update.end
    timelines[i].endedBy = update.endedBy
  }

  /// Adds the timeline of a generation that is offered.
  mutating func offer(_ timeline: SideTimeline) {
    let heard = crossfade.heard?.generation
    timelines.removeAll { $0.generation != heard }
    timelines.append(timeline)
    note(timeline.segments)
    if segment == nil { balance() }
    if wanted?.generation == timeline.generation { wanted = nil }
  }

  /// Notes warnings about the files of new segments.
  private mutating func note(_ segments: [TimelineSegment]) {
    for segment in segments { if let warning = segment.format.warning { fault = warning } }
  }

  /// Notes files that cannot be played; reports each once.
  mutating func skip(_ faults: [AudioError]) {
    for fault in faults where skipped.insert(fault.path).inserted {
      if skipped.count > 10_000 { skipped = [fault.path] }
      if firstSkipped == nil { firstSkipped = fault }
      log.report(.skipped(fault))
      errors += 1
      self.fault = fault
    }
  }

  /// Reports what has been heard since the last call.
  mutating func catchUp() {
    guard let heard = crossfade.heard,
      let i = timelines.firstIndex(where: { $0.generation == heard.generation })
    else { return }
    if i > 0 { timelines.removeFirst(i) }
    reportTimedEvents(to: heard.position)
    reportTracks(to: heard.position)
    timelines[0].forget(before: heard.position)
    guard timelines[0].end == heard.position, timelines.count == 1, wanted == nil, !isOver,
      heard.generation >= leastGeneration
    else { return }
    // Seeking beyond the end, in a pause or by the host's transport, does not count as having played to the end.
    let isReported =
      heard.position > 0 || timelines[0].isSplice || timelines[0].endedBy != nil
      || isPlaying && follower?.isThere != true
    isOver = true
    isPlaying = false
    crossfade.pause()
    guard isReported else { return }
    isStopped = true
    if let fault = timelines[0].endedBy { self.fault = fault }
    log.report(.finished(successfully: timelines[0].endedBy == nil))
  }

  private mutating func reportTracks(to position: Int64) {
    guard let now = timelines[0].segment(at: position) else { return }
    let passed = timelines[0].segments.prefix { $0.position <= Double(position) + 0.5 }
    for segment in passed.isEmpty ? [now] : passed {
      let old = self.segment
      self.segment = segment
      if old?.track != segment.track || old?.path != segment.path {
        log.report(.track(segment.track, path: segment.path))
      }
      if old?.format.channels != segment.format.channels { balance() }
    }
  }

  private mutating func reportTimedEvents(to position: Int64) {
    while let first = timelines[0].timedEvents.first, first.position <= Double(position) {
      timelines[0].timedEvents.removeFirst()
      if case .decodeError(let fault, _) = first.event {
        self.fault = fault
        errors += 1
      }
      log.report(first.event)
    }
  }

  /// Sets the pan gains of the crossfade buffer for the file that is heard.
  func balance(in samples: Int = 0) {
    let channels = (segment ?? timelines.last?.segments.first)?.format.channels
    let (left, right) = Pan.gains(playlist.settings.pan, isMono: channels == 1)
    guard crossfade.channels > 1 else { return }
    crossfade.balance(left: left, right: right, in: samples)
  }
}

extension PlayerState {
  /// The state for a player at another rate.
  var handover: PlayerHandover {
    mutating get {
      catchUp()
      return PlayerHandover(
        playlist: playlist, place: here, isPlaying: isPlaying, isOver: isOver, isStopped: isStopped,
        isResting: resting != nil, isInterrupted: isInterrupted, mustGather: mustGather,
        gatherWithin: gatherWithin, segment: segment,
        log: log, errors: errors, nonFinite: nonFinite, fault: fault)
    }
  }

  /// Takes over the state of another player; does not start playing.
  mutating func takeOver(_ former: PlayerHandover) {
    mustGather = former.mustGather
    gatherWithin = former.gatherWithin
    isInterrupted = former.isInterrupted
    isStopped = former.isStopped
    segment = former.segment
    log = former.log
    errors = former.errors
    nonFinite = former.nonFinite
    fault = former.fault
    if former.isResting || former.isOver { rest(at: former.place) } else { jump(to: former.place) }
    isOver = former.isOver
  }
}
