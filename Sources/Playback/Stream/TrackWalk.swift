/// The tracks of a list one after the other, with their loops, in the player's channels, at the rate of the files.
///
/// [one] As long as files have the same rate they are one run, without a seam; where
/// another rate follows, reading ends until `nextRun`. A file that cannot be opened is left out.
final class TrackWalk: SampleSource {
  /// Opens a file of the list.
  typealias Opener = @Sendable (_ path: String) throws(AudioFault) -> any AudioReader

  let channels: Int
  /// Why the last track broke off; nil as long as something follows.
  private(set) var fault: AudioFault?
  /// Takes the beginning of a stretch of a track: where in the run it lies, and all but its place in the lane.
  var tellMark: (_ offset: Int64, Mark) -> Void = { _, _ in }
  /// Takes something that happens at a sample of the run.
  var tellEvent: (_ offset: Int64, PlayerEvent) -> Void = { _, _ in }
  /// Takes a file that cannot be played.
  var tellSkip: (AudioFault) -> Void = { _ in }
  /// Samples of the run that have been read.
  private(set) var offset: Int64 = 0
  /// Samples in all channels that were not finite and became 0.
  var nonFinite: Int { nonFiniteBefore + (reader?.nonFinite ?? 0) }

  private let program: Program
  private let open: Opener
  private var place: Place
  private var reader: TrackReader?
  private var fit: ChannelFit
  private var nonFiniteBefore = 0
  /// The rate of the run; nil before the first.
  private var rate: Int?
  private var awaitsRun = false
  private var isOver = false
  private var playFrames: Int64 = 0
  private var emptyPlays = 0
  private var marksWrap = false
  /// Why the last file that was left out cannot be played.
  private var lastSkipped: AudioFault?

  /// The part of the track that is played, in samples of the file; nil: all of it.
  private var section: Range<Int64>?
  private let join: SectionJoin
  /// How long the crossing from the end of a section to its beginning is, in seconds.
  private let crossing: Double

  /// - Parameter crossing: how long the end of a section crosses into its beginning, in seconds of the file.
  init(_ program: Program, from place: Place, channels: Int, crossing: Double, open: @escaping Opener) {
    self.program = program
    self.place = place
    self.channels = channels
    self.crossing = crossing
    self.open = open
    fit = ChannelFit(file: 1, channels: 1, assignments: nil)
    join = SectionJoin(channels: channels)
  }

  // MARK: - Runs

  /// Opens the first track that can be played, from its step on.
  ///
  /// - Returns: the rate of the first run; nil where none can be played.
  func openFirst() -> Int? {
    guard openTrack(place) else {
      end(lastSkipped)
      return nil
    }
    rate = reader?.format.rate
    return rate
  }

  /// Goes to the first sample, or some samples before it.
  ///
  /// - Parameter preroll: how many samples before; fewer where the file has not so many.
  /// - Returns: how many samples before.
  func start(preroll: Int64) -> Int64 {
    guard let reader, let rate else { return 0 }
    var frame = place.frame(rate: rate, beginning: section?.lowerBound ?? 0)
    if let frames = reader.format.frames, reader.format.framesAreExact { frame = min(frame, frames) }
    if let section, frame >= section.upperBound { frame = section.lowerBound }
    let before = min(preroll, frame)
    // What lies before counts as played: to begin at the end is no empty play.
    playFrames = max(0, frame - before - (section?.lowerBound ?? 0))
    do throws(AudioFault) {
      try reader.seek(to: frame - before)
    } catch {
      // What follows begins where it begins.
      breakOff(error)
      return 0
    }
    mark()
    return before
  }

  /// The rate that follows where reading ended because it is another one; nil where nothing follows.
  var followingRate: Int? { awaitsRun ? reader?.format.rate : nil }

  /// Goes on with the run of `followingRate`.
  func nextRun() {
    guard awaitsRun, let reader else { return }
    awaitsRun = false
    offset = 0
    rate = reader.format.rate
    mark()
  }

  // MARK: - Reading

  func read(_ count: Int, into destination: PlanarSamples) -> Int {
    var done = 0
    while done < count, !isOver, !awaitsRun, let reader {
      var wanted = count - done
      if let section { wanted = Int(min(Int64(wanted), max(0, section.upperBound - reader.frame))) }
      if join.left > 0 { wanted = min(wanted, join.left) }
      let given = wanted > 0 ? fit.read(reader, wanted, into: destination.dropFirst(done)) : 0
      join.blend(destination.dropFirst(done), count: given)
      done += given
      offset += Int64(given)
      playFrames += Int64(given)
      if given < wanted {
        endPlay()
      } else if let section, reader.frame >= section.upperBound {
        endSection(section)
      }
    }
    return done
  }

  /// The end of the file.
  private func endPlay() {
    guard let reader else { return }
    if let fault = reader.fault { tellError(fault) }
    if let section, program.repeatsSection, playFrames > 0 {
      join.begin(Int(crossing * Double(reader.format.rate)), most: section.count / 2)
      return goBack(to: section.lowerBound)
    }
    follow()
  }

  /// The end of a section: what would follow it crosses into its beginning.
  private func endSection(_ section: Range<Int64>) {
    guard program.repeatsSection, let reader else { return follow() }
    let count = join.begin(Int(crossing * Double(reader.format.rate)), most: section.count / 2)
    _ = fit.read(reader, count, into: join.tail)
    goBack(to: section.lowerBound)
  }

  private func goBack(to frame: Int64) {
    guard let reader else { return }
    playFrames = 0
    do throws(AudioFault) { try reader.seek(to: frame) } catch { return breakOff(error) }
    mark()
  }

  /// Goes on with what follows the track.
  private func follow() {
    guard let reader else { return }
    if playFrames == 0 {
      emptyPlays += 1
      if emptyPlays >= program.order.count {
        return end(reader.fault ?? AudioFault(.empty, path: reader.path, reason: "0 samples"))
      }
    } else {
      emptyPlays = 0
    }
    playFrames = 0
    guard let next = program.next(after: place) else { return end(reader.fault) }
    guard next.track == place.track else { return change(to: next) }
    place = next
    do throws(AudioFault) {
      if let section, section.lowerBound > 0 {
        try reader.seek(to: section.lowerBound)
      } else {
        try reader.again()
      }
    } catch {
      return breakOff(error)
    }
    if reader.isFromMemory && marksWrap { return }
    marksWrap = reader.isFromMemory
    mark()
  }

  /// The track cannot go on; the next one follows, if there is one.
  private func breakOff(_ fault: AudioFault) {
    tellError(fault)
    playFrames = 0
    guard let next = program.next(after: place, leaves: true), next.track != place.track else {
      return end(fault)
    }
    change(to: next)
  }

  private func change(to next: Place) {
    guard openTrack(next), let reader else { return end(nil) }
    if let section {
      do throws(AudioFault) { try reader.seek(to: section.lowerBound) } catch { return breakOff(error) }
    }
    if reader.format.rate == rate { mark() } else { awaitsRun = true }
  }

  /// Opens a track, or the first after it that can be.
  private func openTrack(_ place: Place) -> Bool {
    nonFiniteBefore += reader?.nonFinite ?? 0
    reader = nil
    var place = place
    for _ in program.order.indices {
      do throws(AudioFault) {
        let track = TrackReader(try open(program.path(place.track)))
        fit = ChannelFit(file: track.format.channels, channels: channels, assignments: program.assignments)
        section = part(of: track.format)
        self.place = place
        reader = track
        marksWrap = false
        return true
      } catch {
        lastSkipped = error
        tellSkip(error)
      }
      guard let next = program.next(after: place, leaves: true) else { return false }
      place = next
    }
    return false
  }

  /// The section in samples of a file; nil where it has nothing of it.
  private func part(of format: AudioFormat) -> Range<Int64>? {
    guard let section = program.section else { return nil }
    let rate = Double(format.rate)
    let begin = Int64(min(1e15, section.lowerBound * rate).rounded())
    let end = Int64(min(1e15, section.upperBound * rate).rounded())
    guard end > begin else { return nil }
    if let frames = format.frames, format.framesAreExact, begin >= frames { return nil }
    return begin..<end
  }

  private func end(_ fault: AudioFault?) {
    isOver = true
    self.fault = fault
  }

  // MARK: - Telling

  private func tellError(_ fault: AudioFault) {
    let rate = reader?.format.rate ?? 1
    tellEvent(offset, .decodeError(fault, at: Double(reader?.frame ?? 0) / Double(rate)))
  }

  private func mark() {
    guard let reader, let rate else { return }
    tellMark(
      offset,
      Mark(
        position: 0, track: place.track, path: reader.path, frame: reader.frame,
        pace: Double(rate), plays: place.plays,
        wrap: marksWrap ? reader.format.frames : nil, format: reader.format, tags: reader.tags))
  }
}
