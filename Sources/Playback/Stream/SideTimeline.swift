/// A segment of a side's timeline: from a sample of the side on, a part of a track is heard.
struct TimelineSegment: Sendable {
  /// Where it begins, in samples of the side; fractional if rates differ.
  var position: Double
  /// The index of the track in the list, from 0.
  var track: Int
  var path: String
  /// The sample of the file that is heard at `position`.
  var sample: Int64
  /// Samples of the file per sample of the side.
  var pace: Double
  var plays: Int
  /// The track's length in samples, if it repeats so often that only its first play has a segment.
  var wrap: Int64?
  var format: AudioFormat
  var tags: AudioTags

  /// The sample of the file that is heard at a sample of the side.
  func sample(at position: Int64) -> Int64 {
    guard let wrap, wrap > 0 else { return unwrapped(position) }
    return unwrapped(position) % wrap
  }

  /// Plays of the track that are complete at a sample of the side.
  func plays(at position: Int64) -> Int {
    guard let wrap, wrap > 0 else { return plays }
    return plays + Int(unwrapped(position) / wrap)
  }

  private func unwrapped(_ position: Int64) -> Int64 {
    let on = ((Double(position) - self.position) * pace).rounded(.down)
    return sample + Int64(max(0, min(on, 1e15)))
  }
}

/// The timeline of a side, as far as it has been decoded (prefetched): its segments and events.
struct SideTimeline: Sendable {
  /// An event that is reported once its sample of the side is heard.
  struct TimedEvent: Sendable {
    var position: Double
    var event: PlayerEvent
  }

  let generation: Int64
  /// Where the generation began.
  var start: PlaylistPosition
  /// Whether the generation continues the one before, from a sample of that one on.
  let isSplice: Bool
  /// The place of the host's transport at the first sample.
  var base: Int64 = 0
  var segments: [TimelineSegment] = []
  var timedEvents: [TimedEvent] = []
  /// Its length in samples, once all is decoded.
  var end: Int64?
  /// Why its last track broke off.
  var endedBy: AudioError?

  /// The most segments that are kept: more arise only where a track repeats too often to tell its plays apart.
  static let mostSegments = 4096

  /// The segment that is heard at a sample of the side.
  func segment(at position: Int64) -> TimelineSegment? {
    segments.last { $0.position <= Double(position) + 0.5 } ?? segments.first
  }

  /// The place that is heard at a sample of the side.
  func place(at position: Int64) -> PlaylistPosition {
    guard let segment = segment(at: position) else { return start }
    return PlaylistPosition(
      track: segment.track, offset: .sample(segment.sample(at: position)), plays: segment.plays(at: position))
  }

  /// Drops the segments before the one that is heard at a sample.
  mutating func forget(before position: Int64) {
    guard segments.count > 1,
      let first = segments.lastIndex(where: { $0.position <= Double(position) + 0.5 }),
      first > 0
    else { return }
    segments.removeFirst(first)
  }
}

/// The last events of a player, numbered from 1.
struct EventLog: Sendable {
  private var events: [PlayerEvent] = []
  /// The number of events so far.
  private(set) var count = 0

  /// The most events that are kept.
  static let kept = 256

  /// Adds an event.
  mutating func report(_ event: PlayerEvent) {
    count += 1
    if events.count < Self.kept { events.append(event) } else { events[(count - 1) % Self.kept] = event }
  }

  /// The events after the one of a number, oldest first.
  func after(_ number: Int) -> [(number: Int, event: PlayerEvent)] {
    let first = max(max(0, number) + 1, count - events.count + 1)
    guard first <= count else { return [] }
    return (first...count).map { ($0, events[($0 - 1) % Self.kept]) }
  }
}
