/// A segment of a side's timeline: from which of its samples on a stretch of a track is heard.
struct TimelineSegment: Sendable {
  /// In samples of the side; between two where rates differ.
  var position: Double
  /// The place in the list, from 0.
  var track: Int
  var path: String
  /// The sample of the file that is heard there.
  var sample: Int64
  /// How far the file goes on with each sample of the side.
  var pace: Double
  var plays: Int
  /// How long the track is, where it starts over so often that not every start has a mark.
  var wrap: Int64?
  var format: AudioFormat
  var tags: AudioTags

  /// The sample of the file that is heard at a sample of the side.
  func sample(at position: Int64) -> Int64 {
    guard let wrap, wrap > 0 else { return unwrapped(position) }
    return unwrapped(position) % wrap
  }

  /// How many plays have been before the one that is heard at a sample of the side.
  func plays(at position: Int64) -> Int {
    guard let wrap, wrap > 0 else { return plays }
    return plays + Int(unwrapped(position) / wrap)
  }

  private func unwrapped(_ position: Int64) -> Int64 {
    let on = ((Double(position) - self.position) * pace).rounded(.down)
    return sample + Int64(max(0, min(on, 1e15)))
  }
}

/// The timeline of one side, as far as it has been decoded (prefetched): its segments, and what happens when.
struct SideTimeline: Sendable {
  /// An event that is to be reported once its sample is heard.
  struct TimedEvent: Sendable {
    var position: Double
    var event: PlayerEvent
  }

  let generation: Int64
  /// Where it began.
  var start: PlaylistPosition
  /// Whether it goes on from the generation before, at a sample of that one.
  let isSplice: Bool
  /// The place of the host's transport at its first sample.
  var base: Int64 = 0
  var segments: [TimelineSegment] = []
  var timedEvents: [TimedEvent] = []
  /// How long it is, once all is decoded.
  var end: Int64?
  /// Why its last track broke off.
  var endedBy: AudioError?

  /// The most marks that are kept: with more, a track starts over so often that nobody can tell.
  static let mostSegments = 4096

  /// The segment that holds at a sample of the side.
  func segment(at position: Int64) -> TimelineSegment? {
    segments.last { $0.position <= Double(position) + 0.5 } ?? segments.first
  }

  /// The place that is heard at a sample of the side.
  func place(at position: Int64) -> PlaylistPosition {
    guard let segment = segment(at: position) else { return start }
    return PlaylistPosition(
      track: segment.track, offset: .sample(segment.sample(at: position)), plays: segment.plays(at: position))
  }

  /// Forgets what lies before a sample.
  mutating func forget(before position: Int64) {
    guard segments.count > 1,
      let first = segments.lastIndex(where: { $0.position <= Double(position) + 0.5 }),
      first > 0
    else { return }
    segments.removeFirst(first)
  }
}

/// The last events of a player, by number.
struct EventLog: Sendable {
  private var events: [PlayerEvent] = []
  /// How many there have been.
  private(set) var count = 0

  /// How many are kept.
  static let kept = 256

  /// Takes one.
  mutating func report(_ event: PlayerEvent) {
    count += 1
    if events.count < Self.kept { events.append(event) } else { events[(count - 1) % Self.kept] = event }
  }

  /// What came after the event of a number, oldest first.
  func after(_ number: Int) -> [(number: Int, event: PlayerEvent)] {
    let first = max(max(0, number) + 1, count - events.count + 1)
    guard first <= count else { return [] }
    return (first...count).map { ($0, events[($0 - 1) % Self.kept]) }
  }
}
