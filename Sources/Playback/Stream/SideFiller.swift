import Realtime

/// Decodes (prefetches) one generation of a player, the tracks from a place on, into a side of the crossfade buffer.
/// [one]
final class SideFiller {
  let number: Int64
  let side: Int
  /// Whether the last track has been decoded to its end.
  private(set) var isOver = false
  /// Samples in all channels that were not finite and became 0.
  var nonFinite: Int { reader.nonFinite }
  /// Segments and events that have been decoded since `takeUpdate`.
  private(set) var timeline: SideTimeline
  /// Files that cannot be played, since `takeSkipped`.
  private var skipped: [AudioError] = []

  private let reader: PlaylistReader
  private let source: any SampleSource
  private let writer: SampleRingWriter
  /// The latest samples, which are published only once the end is known, so that the callback knows the end before it
  /// reads them.
  private let ahead: Int64
  private let block: Int
  private var decoded: Int64 = 0

  init(
    _ number: Int64, side: Int, of crossfade: CrossfadeBuffer, _ playlist: Playlist,
    from place: PlaylistPosition, isSplice: Bool,
    hostRate: Int,
    open: @escaping PlaylistReader.Opener
  ) {
    self.number = number
    self.side = side
    timeline = SideTimeline(generation: number, start: place, isSplice: isSplice)
    crossfade.clear(side)
    writer = crossfade.side(side)
    ahead = Int64(crossfade.fade) + 2
    block = max(256, 16_384 / crossfade.channels)
    let library =
      playlist.settings.rate == 1 || playlist.settings.pitch == .varispeed ? nil : SoundTouch.shared
    let isTape = library == nil
    let stretch = isTape ? 1 : playlist.settings.rate
    reader = PlaylistReader(
      playlist, from: place, channels: crossfade.channels,
      loopFade: Double(crossfade.fade) / Double(hostRate) * playlist.settings.rate, open: open)
    let collected = Collected()
    self.collected = collected
    reader.reportSkip = { collected.skipped.append($0) }
    let tracks = ResampledSource(
      reader, hostRate: hostRate, speed: isTape ? playlist.settings.rate : 1,
      reportSegment: { segment in
        var segment = segment
        segment.position /= stretch
        segment.pace *= stretch
        collected.segments.append(segment)
      },
      reportEvent: { position, event in
        collected.timedEvents.append(SideTimeline.TimedEvent(position: position / stretch, event: event))
      })
    if let library {
      source = TimeStretch(tracks, rate: stretch, hostRate: hostRate, library: library)
    } else {
      source = tracks
    }
    if isTape && playlist.settings.rate != 1 && playlist.settings.pitch == .kept {
      let fault = AudioError(
        .rate, path: playlist.path(place.track),
        reason: "the pitch goes with it: \(SoundTouch.name) is not installed")
      collected.timedEvents.append(SideTimeline.TimedEvent(position: 0, event: .decodeError(fault, at: 0)))
    }
    self.tracks = tracks
  }

  private let tracks: ResampledSource
  private let collected: Collected

  /// Reports of the reader and the resampler during a read.
  private final class Collected {
    var segments: [TimelineSegment] = []
    var timedEvents: [SideTimeline.TimedEvent] = []
    var skipped: [AudioError] = []
  }

  /// Published samples of the side that have not been heard.
  var filled: Int { writer.filled }
  /// The number of samples of the side that have been published.
  var position: Int64 { writer.position }
  /// Whether a file could be opened at all.
  var hasSound: Bool { tracks.hasSound }

  /// Decodes one block into the side; `publish` makes it audible.
  ///
  /// - Returns: false if the side is full or nothing is left to decode.
  func step() -> Bool {
    let room = writer.capacity - Int(decoded - writer.consumed)
    guard !isOver, room > 0 else { return false }
    let count = min(room, block, writer.contiguous(from: decoded))
    let destination = PlanarSamples(
      base: writer.pointer(at: decoded), stride: writer.stride, channels: writer.channels)
    let given = source.read(count, into: destination)
    decoded += Int64(given)
    collect()
    if given < count {
      isOver = true
      timeline.end = decoded
      timeline.endedBy = source.fault
    }
    return true
  }

  /// Publishes the decoded samples to the callback. The reader of the timeline must have its update before.
  func publish() {
    if isOver {
      writer.end(at: decoded)
      writer.commit(to: decoded)
    } else {
      writer.commit(to: max(writer.position, decoded - ahead))
    }
  }

  private func collect() {
    timeline.segments += collected.segments
    timeline.timedEvents += collected.timedEvents
    skipped += collected.skipped
    collected.segments.removeAll()
    collected.timedEvents.removeAll()
    collected.skipped.removeAll()
  }

  /// Returns the files that could not be played, each only once.
  func takeSkipped() -> [AudioError] {
    collect()
    defer { skipped.removeAll() }
    return skipped
  }

  /// Returns the segments and events since the last call.
  func takeUpdate() -> SideTimeline {
    collect()
    defer {
      timeline.segments.removeAll()
      timeline.timedEvents.removeAll()
    }
    return timeline
  }
}
