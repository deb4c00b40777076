import Glibc

/// Reads the tracks of a list one after another, with their loops, in the player's channels and at the files' rate.
/// [one]
///
/// Consecutive tracks of the same sample rate are one run, without a gap between them. Where a track of another rate
/// follows, reading ends until `nextRun`. A file that cannot be opened is left out.
final class PlaylistReader: SampleSource {
  /// Opens a file of the list.
  typealias Opener = @Sendable (_ path: String) throws(AudioError) -> any AudioReader

  let channels: Int
  /// Why the last track broke off; nil while something follows.
  private(set) var fault: AudioError?
  /// Called at the beginning of a segment. `offset`: its place in the run; the segment's `position` is not set yet.
  var reportSegment: (_ offset: Int64, TimelineSegment) -> Void = { _, _ in }
  /// Called for an event at a sample of the run.
  var reportEvent: (_ offset: Int64, PlayerEvent) -> Void = { _, _ in }
  /// Called for a file that cannot be played.
  var reportSkip: (AudioError) -> Void = { _ in }
  /// Samples per channel of the run that have been read.
  private(set) var offset: Int64 = 0
  /// Samples, over all channels, that were not finite and became 0.
  var nonFinite: Int { nonFiniteBefore + (reader?.nonFinite ?? 0) }

  private let playlist: Playlist
  private let open: Opener
  private var place: PlaylistPosition
  private var reader: TrackReader?
  private var fit: ChannelMap
  private var nonFiniteBefore = 0
  /// The sample rate of the run in Hz; nil before the first.
  private var rate: Int?
  private var awaitsRun = false
  private var isOver = false
  private var playedSamples: Int64 = 0
  private var emptyPlays = 0
  private var segmentsWrap = false
  /// Decoding faults of the file that have been reported, or were beyond `mostBreaks`.
  private var handledBreaks = 0
  private static let mostBreaks = 10
  /// Why the last file that was left out cannot be played.
  private var lastSkipped: AudioError?

  /// The part of the track that is played, in samples of the file; nil: all of it.
  private var section: Range<Int64>?
  private let join: LoopCrossfade
  /// Length of the crossfade from the end of a section to its beginning, in seconds of the file.
  private let loopFade: Double

  /// - Parameter loopFade: length of the crossfade from the end of a section to its beginning, in seconds of the file.
  init(
    _ playlist: Playlist, from place: PlaylistPosition, channels: Int, loopFade: Double,
    open: @escaping Opener
  ) {
    self.playlist = playlist
    self.place = place
    self.channels = channels
    self.loopFade = loopFade
    self.open = open
    fit = ChannelMap(file: 1, channels: 1, assignments: nil)
    join = LoopCrossfade(channels: channels)
  }

  // MARK: - Runs

  /// Opens the first track that can be played, from the starting place on.
  ///
  /// - Returns: the sample rate of the first run; nil if no track can be played.
  func openFirst() -> Int? {
    guard openTrack(place) else {
      end(lastSkipped)
      return nil
    }
    rate = reader?.format.rate
    return rate
  }

  /// Seeks to the starting place, or some samples before it.
  ///
  /// - Parameter preroll: wanted samples before the place; the file may have fewer.
  /// - Returns: samples before the place at which reading begins.
  func start(preroll: Int64) -> Int64 {
    guard let reader, let rate else { return 0 }
    var sample = place.sample(rate: rate, beginning: section?.lowerBound ?? 0)
    if let frames = reader.format.frames, reader.format.framesAreExact { sample = min(sample, frames) }
    if let section, sample >= section.upperBound { sample = section.lowerBound }
    let before = min(preroll, sample)
    // The samples before count as played, so that starting at the end is not an empty play.
    playedSamples = max(0, sample - before - (section?.lowerBound ?? 0))
    do throws(AudioError) {
      try reader.seek(to: sample - before)
    } catch {
      // The next track starts at its own beginning, without a preroll.
      breakOff(error)
      return 0
    }
    segment()
    return before
  }

  /// The sample rate of the next run, where reading has ended because it differs; nil where nothing follows.
  var followingRate: Int? { awaitsRun ? reader?.format.rate : nil }

  /// Begins the run of `followingRate`.
  func nextRun() {
    guard awaitsRun, let reader else { return }
    awaitsRun = false
    offset = 0
    rate = reader.format.rate
    segment()
  }

  // MARK: - Reading

  func read(_ count: Int, into destination: PlanarSamples) -> Int {
    var done = 0
    while done < count, !isOver, !awaitsRun, let reader {
      var wanted = count - done
      if let section { wanted = Int(min(Int64(wanted), max(0, section.upperBound - reader.sample))) }
      if join.left > 0 { wanted = min(wanted, join.left) }
      let given = wanted > 0 ? fit.read(reader, wanted, into: destination.dropFirst(done)) : 0
      join.blend(destination.dropFirst(done), count: given)
      done += given
      offset += Int64(given)
      playedSamples += Int64(given)
      reportBreaks(reader)
      if given < wanted {
        endPlay()
      } else if let section, reader.sample >= section.upperBound {
        endSection(section)
      }
    }
    return done
  }

  /// Handles the end of the file.
  private func endPlay() {
    guard let reader else { return }
    if let fault = reader.fault { reportError(fault) }
    if let section, playlist.settings.repeatsSection, playedSamples > 0 {
      join.begin(Int(loopFade * Double(reader.format.rate)), most: section.count / 2)
      return goBack(to: section.lowerBound)
    }
    follow()
  }

  /// Handles the end of a section: the samples after it crossfade into its beginning.
  private func endSection(_ section: Range<Int64>) {
    guard playlist.settings.repeatsSection, let reader else { return follow() }
    let count = join.begin(Int(loopFade * Double(reader.format.rate)), most: section.count / 2)
    _ = fit.read(reader, count, into: join.tail)
    goBack(to: section.lowerBound)
  }

  private func goBack(to sample: Int64) {
    guard let reader else { return }
    playedSamples = 0
    do throws(AudioError) { try reader.seek(to: sample) } catch { return breakOff(error) }
    segment()
  }

  /// Goes on with the next play of the track, or with the next track.
  private func follow() {
    guard let reader else { return }
    if playedSamples == 0 {
      emptyPlays += 1
      if emptyPlays >= playlist.order.count {
        return end(reader.fault ?? AudioError(.empty, path: reader.path, reason: "0 samples"))
      }
    } else {
      emptyPlays = 0
    }
    playedSamples = 0
    guard let next = playlist.next(after: place) else { return end(reader.fault) }
    guard next.track == place.track else { return change(to: next) }
    place = next
    do throws(AudioError) {
      if let section, section.lowerBound > 0 {
        try reader.seek(to: section.lowerBound)
      } else {
        try reader.again()
      }
    } catch {
      return breakOff(error)
    }
    if reader.isFromMemory && segmentsWrap { return }
    segmentsWrap = reader.isFromMemory
    segment()
  }

  /// Leaves a track that cannot go on; the next one follows, if there is one.
  private func breakOff(_ fault: AudioError) {
    reportError(fault)
    playedSamples = 0
    guard let next = playlist.next(after: place, leaves: true), next.track != place.track else {
      return end(fault)
    }
    change(to: next)
  }

  private func change(to next: PlaylistPosition) {
    guard openTrack(next), let reader else { return end(nil) }
    if let section {
      do throws(AudioError) { try reader.seek(to: section.lowerBound) } catch { return breakOff(error) }
    }
    if reader.format.rate == rate { segment() } else { awaitsRun = true }
  }

  /// Opens a track, or the first one after it that can be opened.
  private func openTrack(_ place: PlaylistPosition) -> Bool {
    nonFiniteBefore += reader?.nonFinite ?? 0
    reader = nil
    var place = place
    for _ in playlist.order.indices {
      do throws(AudioError) {
        let track = TrackReader(try open(playlist.path(place.track)))
        fit = ChannelMap(
          file: track.format.channels, channels: channels, assignments: playlist.settings.assignments,
          gain: track.tags.loudness.factor(playlist.settings.replayGain))
        section = part(of: track.format)
        self.place = place
        reader = track
        (segmentsWrap, handledBreaks) = (false, 0)
        return true
      } catch {
        lastSkipped = error
        reportSkip(error)
      }
      guard let next = playlist.next(after: place, leaves: true) else { return false }
      place = next
    }
    return false
  }

  /// The section in samples of a file; nil if the file has no part of it.
  private func part(of format: AudioFormat) -> Range<Int64>? {
    guard let section = playlist.settings.section else { return nil }
    let rate = Double(format.rate)
    let begin = Int64(min(1e15, section.lowerBound * rate).rounded())
    let end = Int64(min(1e15, section.upperBound * rate).rounded())
    guard end > begin else { return nil }
    if let frames = format.frames, format.framesAreExact, begin >= frames { return nil }
    return begin..<end
  }

  private func end(_ fault: AudioError?) {
    isOver = true
    self.fault = fault
  }

  // MARK: - Reporting

  private func reportError(_ fault: AudioError) {
    let rate = reader?.format.rate ?? 1
    reportEvent(offset, .decodeError(fault, at: Double(reader?.sample ?? 0) / Double(rate)))
  }

  /// Reports decoding faults of the file, at most `mostBreaks`.
  private func reportBreaks(_ reader: TrackReader) {
    let breaks = reader.breaks
    guard breaks.count > handledBreaks, let fault = breaks.fault else { return }
    if handledBreaks < Self.mostBreaks {
      reportEvent(offset, .decodeError(fault, at: Double(breaks.position) / Double(reader.format.rate)))
    }
    handledBreaks = breaks.count
  }

  private func segment() {
    guard let reader, let rate else { return }
    reportSegment(
      offset,
      TimelineSegment(
        position: 0, track: place.track, path: reader.path, sample: reader.sample,
        pace: Double(rate), plays: place.plays,
        wrap: segmentsWrap ? reader.format.frames : nil, format: reader.format, tags: reader.tags))
  }
}

extension LoudnessTags {
  /// The replay gain as a factor, limited so that the peak stays at or below full scale; without a known peak at most
  /// 1.
  func factor(_ mode: PlayerSettings.ReplayGain) -> Float {
    let isAlbum = mode == .album && albumGain != nil
    guard mode != .off, let gain = isAlbum ? albumGain : trackGain ?? albumGain else { return 1 }
    let peak = isAlbum ? albumPeak : trackPeak ?? albumPeak
    return Float(min(pow(10, gain / 20), 1 / (peak ?? 1)))
  }
}
