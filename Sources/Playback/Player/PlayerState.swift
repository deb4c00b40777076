import Realtime

/// How a player stands: what shall be played, what is on its way, and what has been heard of it.
///
/// [one] Behind a lock that nobody holds for long: no disk is touched here.
struct PlayerState {
  /// Something that is to be prepared.
  struct Wanted: Equatable {
    var turn: Int64
    var start: Start
  }

  /// Where a turn begins.
  enum Start: Equatable {
    /// At a place, at once.
    case at(Place)
    /// Where the turn before is, as if nothing had happened.
    case goingOn
    /// At a place of the host's transport, in samples.
    case transport(Int64)
  }

  let deck: Deck
  let hostRate: Int
  var program: Program
  /// Whether the files of the program are folders and playlists that nobody has looked into yet.
  var mustGather = false
  /// The folders that no link among them leads out of; none: links lead anywhere.
  var gatherWithin: [String] = []
  let following: Following?
  let leads: Bool
  /// A place that the host's transport is to be asked for.
  private var leading: Place?

  /// The number of the newest turn.
  var turn: Int64 = 0
  /// The least turn that may be heard.
  private(set) var called: Int64 = 0
  /// What is to be prepared; only the newest.
  var wanted: Wanted?
  /// What is heard, and what is on offer.
  var trails: [Trail] = []
  /// Where it stands while nothing is prepared.
  var resting: Place?
  var isPlaying = false
  var isOver = false
  var isInterrupted = false
  var volume: Float = 1
  var pan: Float = 0
  var fault: AudioFault?
  var nonFinite = 0
  /// How many files could not be played, or broke off.
  fileprivate(set) var errors = 0
  var history = History()
  /// What was heard last.
  fileprivate(set) var mark: Mark?
  /// Why the first file that cannot be played cannot be.
  private(set) var firstSkipped: AudioFault?
  private var skipped: Set<String> = []

  init(_ program: Program, _ settings: PlayerSettings, following: Following?, deck: Deck, hostRate: Int) {
    self.program = program
    self.deck = deck
    self.hostRate = hostRate
    self.following = following
    leads = settings.transport == .lead
  }

  // MARK: - Where it is

  /// The trail of a turn.
  func trail(_ turn: Int64) -> Trail? { trails.first { $0.turn == turn } }

  /// The turn that is on offer, or has been taken without anybody having seen it yet.
  var offered: Trail? {
    guard let last = trails.last, last.turn != deck.heard?.turn else { return nil }
    return last
  }

  /// Where it stands, with everything that it has been asked.
  var here: Place {
    if case .at(let place)? = wanted?.start { return place }
    if let resting { return resting }
    let heard = deck.heard
    if let last = trails.last, last.turn != heard?.turn, !last.isSplice { return last.start }
    if let heard, let trail = trail(heard.turn) { return trail.place(at: heard.position) }
    return trails.last?.start ?? Place(track: program.first)
  }

  /// What is known of the file of a track.
  func format(of track: Int) -> (AudioFormat, AudioTags)? {
    let path = program.path(track)
    let marks =
      [mark].compactMap { $0 } + trails.reversed().flatMap { $0.marks.prefix(1) + $0.marks.suffix(1) }
    return marks.first { $0.path == path }.map { ($0.format, $0.tags) }
  }

  /// The time of a place, in seconds of its track.
  func seconds(_ place: Place) -> Double {
    let format = format(of: place.track)?.0
    let seconds = place.seconds(rate: format?.rate, beginning: program.section?.lowerBound ?? 0)
    return max(0, min(seconds, format?.duration ?? .infinity))
  }

  // MARK: - Turns

  /// Begins elsewhere; what is heard falls silent.
  mutating func jump(to place: Place) {
    isOver = false
    resting = nil
    turn += 1
    wanted = Wanted(turn: turn, start: .at(place))
    call()
  }

  /// Goes where the host's transport is, or wants to be, in samples.
  mutating func go(to place: Int64) {
    isOver = false
    resting = nil
    turn += 1
    wanted = Wanted(turn: turn, start: .transport(place))
    call()
  }

  /// Lets the host's transport be asked for a place.
  mutating func lead(to place: Place) { leading = place }

  /// Takes what the host's transport is to be asked for.
  mutating func takeLeading() -> (Place, Program)? {
    guard let place = leading else { return nil }
    leading = nil
    return (place, program)
  }

  /// Goes on where it is, by another program.
  mutating func goOn() {
    guard resting == nil, !isOver else { return }
    turn += 1
    guard let before = wanted else {
      if !trails.isEmpty { wanted = Wanted(turn: turn, start: .goingOn) }
      return
    }
    wanted = Wanted(turn: turn, start: before.start)
    if before.start != .goingOn { call() }
  }

  /// Falls silent and lets go of everything, at a place.
  mutating func rest(at place: Place) {
    isOver = false
    turn += 1
    wanted = nil
    resting = place
    call()
  }

  /// Lets everything older than the newest turn fall silent.
  mutating func call() {
    called = turn
    deck.call(turn: turn)
  }

  // MARK: - What has been heard

  /// Takes what a turn has decoded.
  mutating func extend(_ news: Trail) {
    guard let i = trails.firstIndex(where: { $0.turn == news.turn }) else { return }
    note(news.marks)
    trails[i].marks += news.marks.prefix(max(0, Trail.mostMarks - trails[i].marks.count))
    trails[i].happenings += news.happenings.prefix(max(0, Trail.mostMarks - trails[i].happenings.count))
    trails[i].end = news.end
    trails[i].endedBy = news.endedBy
  }

  /// Takes a turn that goes on offer.
  mutating func offer(_ trail: Trail) {
    let heard = deck.heard?.turn
    trails.removeAll { $0.turn != heard }
    trails.append(trail)
    note(trail.marks)
    if mark == nil { balance() }
    if wanted?.turn == trail.turn { wanted = nil }
  }

  /// Notes what files say of themselves when they begin.
  private mutating func note(_ marks: [Mark]) {
    for mark in marks { if let warning = mark.format.warning { fault = warning } }
  }

  /// Takes files that cannot be played; each is told once.
  mutating func skip(_ faults: [AudioFault]) {
    for fault in faults where skipped.insert(fault.path).inserted {
      if skipped.count > 10_000 { skipped = [fault.path] }
      if firstSkipped == nil { firstSkipped = fault }
      history.tell(.skipped(fault))
      errors += 1
      self.fault = fault
    }
  }

  /// Tells what has been heard since it was last looked.
  mutating func catchUp() {
    guard let heard = deck.heard, let i = trails.firstIndex(where: { $0.turn == heard.turn }) else { return }
    if i > 0 { trails.removeFirst(i) }
    tellHappenings(to: heard.position)
    tellTracks(to: heard.position)
    trails[0].forget(before: heard.position)
    guard trails[0].end == heard.position, trails.count == 1, wanted == nil, !isOver, heard.turn >= called
    else {
      return
    }
    // A place beyond the end that was only gone to, in a pause or by the host's transport, is not played to the end.
    let isTold =
      heard.position > 0 || trails[0].isSplice || trails[0].endedBy != nil
      || isPlaying && following?.isThere != true
    isOver = true
    isPlaying = false
    deck.pause()
    guard isTold else { return }
    if let fault = trails[0].endedBy { self.fault = fault }
    history.tell(.finished(successfully: trails[0].endedBy == nil))
  }

  private mutating func tellTracks(to position: Int64) {
    guard let now = trails[0].mark(at: position) else { return }
    let passed = trails[0].marks.prefix { $0.position <= Double(position) + 0.5 }
    for mark in passed.isEmpty ? [now] : passed {
      let old = self.mark
      self.mark = mark
      if old?.track != mark.track || old?.path != mark.path {
        history.tell(.track(mark.track, path: mark.path))
      }
      if old?.format.channels != mark.format.channels { balance() }
    }
  }

  private mutating func tellHappenings(to position: Int64) {
    while let first = trails[0].happenings.first, first.position <= Double(position) {
      trails[0].happenings.removeFirst()
      if case .decodeError(let fault, _) = first.event {
        self.fault = fault
        errors += 1
      }
      history.tell(first.event)
    }
  }

  /// Brings the pan to the deck, for the file that is heard.
  func balance() {
    let channels = (mark ?? trails.last?.marks.first)?.format.channels
    let (left, right) = Pan.gains(pan, isMono: channels == 1)
    guard deck.channels > 1 else { return }
    deck.balance(left: left, right: right)
  }
}

extension PlayerState {
  /// How it stands, for a player at another rate.
  var handover: PlayerHandover {
    mutating get {
      catchUp()
      return PlayerHandover(
        program: program, place: here, isPlaying: isPlaying, isOver: isOver, isResting: resting != nil,
        isInterrupted: isInterrupted, volume: volume, pan: pan, mustGather: mustGather,
        gatherWithin: gatherWithin, mark: mark,
        history: history, errors: errors, nonFinite: nonFinite, fault: fault)
    }
  }

  /// Stands as another did; it does not play yet.
  mutating func takeOver(_ former: PlayerHandover) {
    mustGather = former.mustGather
    gatherWithin = former.gatherWithin
    isInterrupted = former.isInterrupted
    mark = former.mark
    history = former.history
    errors = former.errors
    nonFinite = former.nonFinite
    fault = former.fault
    if former.isResting || former.isOver { rest(at: former.place) } else { jump(to: former.place) }
    isOver = former.isOver
  }
}
