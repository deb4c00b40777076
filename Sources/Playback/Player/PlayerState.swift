import Realtime

/// How a player stands: what should be played, what is on its way, and what has been heard of it.
///
/// [one] Behind a lock that nobody holds for long: no disk is touched here.
struct PlayerState {
  /// Something that is to be prepared.
  struct Wanted: Equatable {
    var generation: Int64
    var start: Start
  }

  /// Where a generation begins: at a place, at once.
  enum Start: Equatable {
    case at(PlaylistPosition)
    /// Where the generation before is, as if nothing had happened.
    case goingOn
    /// At a place of the host's transport, in samples.
    case transport(Int64)
  }

  let crossfade: CrossfadeBuffer
  let hostRate: Int
  var playlist: Playlist
  /// Whether the files of the playlist are folders and playlists that nobody has looked into yet.
  var mustGather = false
  /// The folders that no link among them leads out of; none: links lead anywhere.
  var gatherWithin: [String] = []
  let follower: TransportFollower?
  let leads: Bool
  /// A place that the host's transport is to be asked for.
  private var leading: PlaylistPosition?

  /// The number of the newest generation.
  var generation: Int64 = 0
  /// The least generation that may be heard.
  private(set) var leastGeneration: Int64 = 0
  /// What is to be prepared; only the newest.
  var wanted: Wanted?
  /// What is heard, and what is on offer.
  var timelines: [SideTimeline] = []
  /// Where it stands while nothing is prepared.
  var resting: PlaylistPosition?
  var isPlaying = false
  var isOver = false
  /// Whether it was stopped and not only paused; another track leaves it so, a place of the track does not.
  var isStopped = false
  var isInterrupted = false
  var fault: AudioError?
  var nonFinite = 0
  /// How many files could not be played, or broke off.
  fileprivate(set) var errors = 0
  var log = EventLog()
  /// What was heard last.
  fileprivate(set) var segment: TimelineSegment?
  /// Why the first file that cannot be played cannot be.
  private(set) var firstSkipped: AudioError?
  /// The files of the list that were reported, and what was left out of it first.
  var (skipped, leftOut): (Set<String>, ListError?) = ([], nil)
  /// The file that was opened for the command that came last, until it is played.
  var opened: OpenedCommand?
  /// The playlists of the newest changes that go on at the same place, oldest first.
  private(set) var changes: [Playlist] = []

  init(
    _ playlist: Playlist, follower: TransportFollower?, crossfade: CrossfadeBuffer, hostRate: Int
  ) {
    (self.playlist, self.follower, self.crossfade) = (playlist, follower, crossfade)
    self.hostRate = hostRate
    leads = playlist.settings.transport == .lead
  }

  // MARK: - Where it is

  /// The timeline of a generation.
  func timeline(_ generation: Int64) -> SideTimeline? { timelines.first { $0.generation == generation } }

  /// The generation that is on offer, or has been taken without anybody having seen it yet.
  var offered: SideTimeline? {
    guard let last = timelines.last, last.generation != crossfade.heard?.generation else { return nil }
    return last
  }

  /// Where it stands, with everything that it has been asked.
  var here: PlaylistPosition {
    if case .at(let place)? = wanted?.start { return place }
    if let resting { return resting }
    let heard = crossfade.heard
    if let last = timelines.last, last.generation != heard?.generation, !last.isSplice { return last.start }
    if let heard, let timeline = timeline(heard.generation) { return timeline.place(at: heard.position) }
    return timelines.last?.start ?? PlaylistPosition(track: playlist.first)
  }

  /// Why what is on offer ended before its first sample; nil where it did not. Nobody will ever hear that end.
  var brokenAtOnce: AudioError? {
    guard let last = timelines.last, last.end == 0, !last.isSplice else { return nil }
    return last.endedBy
  }

  /// What is known of the file of a track.
  func format(of track: Int) -> (AudioFormat, AudioTags)? {
    let path = playlist.path(track)
    let segments =
      [segment].compactMap { $0 }
      + timelines.reversed().flatMap { $0.segments.prefix(1) + $0.segments.suffix(1) }
    return segments.first { $0.path == path }.map { ($0.format, $0.tags) }
  }

  /// The time of a place, in seconds of its track.
  func seconds(_ place: PlaylistPosition) -> Double {
    let format = format(of: place.track)?.0
    let seconds = place.seconds(rate: format?.rate, beginning: playlist.settings.section?.lowerBound ?? 0)
    return max(0, min(seconds, format?.duration ?? .infinity))
  }

  // MARK: - Generations

  /// Begins elsewhere; what is heard falls silent.
  mutating func jump(to place: PlaylistPosition) {
    isOver = false
    resting = nil
    generation += 1
    wanted = Wanted(generation: generation, start: .at(place))
    invalidateOlder()
  }

  /// Goes where the host's transport is, or wants to be, in samples.
  mutating func go(to place: Int64) {
    isOver = false
    resting = nil
    generation += 1
    wanted = Wanted(generation: generation, start: .transport(place))
    invalidateOlder()
  }

  /// Lets the host's transport be asked for a place.
  mutating func lead(to place: PlaylistPosition) { leading = place }

  /// Takes what the host's transport is to be asked for.
  mutating func takeLeading() -> (PlaylistPosition, Playlist)? {
    guard let place = leading else { return nil }
    leading = nil
    return (place, playlist)
  }

  /// Goes on where it is, by another playlist.
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

  /// Falls silent and lets go of everything, at a place.
  mutating func rest(at place: PlaylistPosition) {
    isOver = false
    generation += 1
    wanted = nil
    opened = nil
    resting = place
    invalidateOlder()
  }

  /// Lets everything older than the newest generation fall silent.
  mutating func invalidateOlder() {
    leastGeneration = generation
    crossfade.invalidate(before: generation)
  }

  // MARK: - What has been heard

  /// Takes what a generation has decoded.
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

  /// Takes a generation that goes on offer.
  mutating func offer(_ timeline: SideTimeline) {
    let heard = crossfade.heard?.generation
    timelines.removeAll { $0.generation != heard }
    timelines.append(timeline)
    note(timeline.segments)
    if segment == nil { balance() }
    if wanted?.generation == timeline.generation { wanted = nil }
  }

  /// Notes what files say of themselves when they begin.
  private mutating func note(_ segments: [TimelineSegment]) {
    for segment in segments { if let warning = segment.format.warning { fault = warning } }
  }

  /// Takes files that cannot be played; each is reported once.
  mutating func skip(_ faults: [AudioError]) {
    for fault in faults where skipped.insert(fault.path).inserted {
      if skipped.count > 10_000 { skipped = [fault.path] }
      if firstSkipped == nil { firstSkipped = fault }
      log.report(.skipped(fault))
      errors += 1
      self.fault = fault
    }
  }

  /// Reports what has been heard since it was last looked.
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
    // A place beyond the end that was only gone to, in a pause or by the host's transport, is not played to the end.
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

  /// Brings the pan to the crossfade buffer, for the file that is heard.
  func balance(in samples: Int = 0) {
    let channels = (segment ?? timelines.last?.segments.first)?.format.channels
    let (left, right) = Pan.gains(playlist.settings.pan, isMono: channels == 1)
    guard crossfade.channels > 1 else { return }
    crossfade.balance(left: left, right: right, in: samples)
  }
}

extension PlayerState {
  /// How it stands, for a player at another rate.
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

  /// Stands as another did; it does not play yet.
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
