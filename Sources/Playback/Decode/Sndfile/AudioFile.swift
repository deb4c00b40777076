import CSndfile
import System

/// An audio file read with libsndfile: WAV, AIFF, AU, W64, CAF, FLAC, Ogg, MP3.
///
/// [one] Reads through file descriptors, never by mapping: a file cut short while it plays ends early, it
/// does not kill the process. A file that is deleted or replaced by renaming plays on from the old one.
public final class AudioFile: AudioReader {
  /// Places that cannot be decoded after which a file is given up.
  private static let mostBreaks = 100

  /// What the file says of itself.
  public var format: AudioFormat { opened.format }
  /// The file, as it was given.
  public let path: String
  /// Samples that were not finite and became 0.
  public private(set) var nonFinite = 0
  /// Why the sound ended before its time.
  public private(set) var fault: AudioError?

  private var opened: OpenedFile
  private let block: UnsafeMutablePointer<Float>
  private let blockCount: Int
  /// The sample that is read next, from 0.
  public private(set) var position: Int64 = 0
  /// Where it could not be decoded and went on after it.
  public private(set) var breaks = DecodeBreaks()
  private var isOver = false
  /// What `tags` has found, once it was asked for.
  private var knownTags: AudioTags?
  /// Samples of silence in place of what could not be decoded.
  private var missing: Int64 = 0

  /// Opens a file.
  ///
  /// - Parameter path: the file, relative to the working folder or absolute.
  /// - Throws: `AudioError`: `.missing`, `.folder`, `.notAFile`, `.unreadable`, `.empty`, `.notAudio`,
  ///   `.channels` or `.rate`.
  public convenience init(path: String) throws(AudioError) { try self.init(try RegularFile(path: path)) }

  /// Takes a file that is open.
  init(_ file: RegularFile) throws(AudioError) {
    let opened = try OpenedFile(of: file)
    path = file.path
    self.opened = opened
    // Large enough that calls do not count, small enough to stay in the cache.
    blockCount = max(64, 16_384 / opened.format.channels)
    block = .allocate(capacity: blockCount * opened.format.channels)
  }

  deinit {
    opened.close()
    block.deallocate()
  }

  /// Gives the next samples.
  public func read(_ count: Int, into destination: PlanarSamples) -> Int {
    var done = 0
    while done < count, !isOver {
      let wanted = min(count - done, blockCount, opened.end.map { Int(clamping: $0 - position) } ?? .max)
      if wanted <= 0 {
        isOver = true
        break
      }
      let isSilent = missing > 0
      let given =
        isSilent ? Int(min(missing, Int64(wanted))) : readBlock(wanted, into: destination.dropFirst(done))
      if isSilent {
        let place = destination.dropFirst(done)
        for channel in 0..<channels { place[channel].update(repeating: 0, count: given) }
        missing -= Int64(given)
      }
      done += given
      position += Int64(given)
      if given < wanted, !isSilent, !goOn() { finish() }
    }
    return done
  }

  /// Decodes at most one block. The floats of 16-bit files are made here: libsndfile makes the same ones, slowly.
  private func readBlock(_ count: Int, into destination: PlanarSamples) -> Int {
    func given(_ read: sf_count_t) -> Int { min(count, max(0, Int(read))) }
    guard opened.isSixteenBit else {
      let given = given(sf_readf_float(opened.handle, block, sf_count_t(count)))
      nonFinite += deinterleave(block, count: given, into: destination)
      return given
    }
    return block.withMemoryRebound(to: Int16.self, capacity: 2 * blockCount * format.channels) { words in
      let given = given(sf_readf_short(opened.handle, words, sf_count_t(count)))
      deinterleave(words, count: given, into: destination)
      return given
    }
  }

  /// Looks for sound behind a place that cannot be decoded; says whether to read on.
  private func goOn() -> Bool {
    // Linear PCM cannot be broken, only gone; and what others leave out is not known.
    guard format.codec == "flac", let frames = format.frames, position < frames,
      breaks.count < AudioFile.mostBreaks
    else { return false }
    let error = sf_error(opened.handle)
    let reason = error != 0 ? DecodeFault.words(sndfile: error) : "samples are missing"
    // A decoder that has met a fault may not seek; the way gets longer from try to try, so that they are few.
    var step: Int64 = 4096
    while position + step < frames {
      guard let fresh = try? OpenedFile(of: opened.file), fresh.format.channels == channels else {
        return false
      }
      sf_close(opened.handle)
      opened = fresh
      let target = position + step
      if sf_seek(opened.handle, sf_count_t(target), Int32(SEEK_SET)) == sf_count_t(target),
        sf_readf_float(opened.handle, block, 1) == 1,
        sf_seek(opened.handle, sf_count_t(target), Int32(SEEK_SET)) == sf_count_t(target)
      {
        breaks.note(
          AudioError(.read, path: path, reason: "after sample \(position): " + reason), at: position)
        missing = step
        return true
      }
      step *= 2
    }
    return false
  }

  /// Notes that nothing more comes, and whether more should have come.
  private func finish() {
    isOver = true
    if format.framesAreExact, let frames = format.frames, position < frames {
      fault = AudioError(.truncated, path: path, reason: "\(position) samples of \(frames)")
    } else if sf_error(opened.handle) != 0 {
      let reason = "after sample \(position): " + DecodeFault.words(sndfile: sf_error(opened.handle))
      fault = AudioError(.read, path: path, reason: reason)
    }
  }

  /// Goes back to the first sample and forgets `fault`.
  public func rewind() throws(AudioError) {
    // After a seek the MP3 decoder rounds otherwise than from the start, and a decoder that has met a fault may
    // not seek at all: both get a fresh one.
    if fault != nil || opened.seeking != .exact || sf_seek(opened.handle, 0, Int32(SEEK_SET)) != 0 {
      try startAfresh()
    }
    position = 0
    missing = 0
    isOver = false
    fault = nil
  }

  /// Goes to a sample, exactly.
  public func seek(to frame: Int64) throws(AudioError) {
    let end = opened.end ?? (format.framesAreExact ? format.frames : nil)
    let frame = max(0, min(frame, end ?? .max / 4))
    let start = opened.start(for: frame)
    // On from here where that is the shorter way.
    let isAhead = !isOver && fault == nil && (position...position + Int64(2 * format.rate)).contains(frame)
    if !isAhead {
      if start > 0, fault == nil,
        sf_seek(opened.handle, sf_count_t(start), Int32(SEEK_SET)) == sf_count_t(start)
      {
        position = start
        missing = 0
        isOver = false
      } else {
        try rewind()
        // A fresh decoder may do what one that has met a fault would not.
        if start > 0, sf_seek(opened.handle, sf_count_t(start), Int32(SEEK_SET)) == sf_count_t(start) {
          position = start
        }
      }
    }
    guard position < frame else { return }
    let scratch = PlanarBuffer(channels: channels, count: 4096)
    let (counted, broken) = (nonFinite, breaks)
    while position < frame, !isOver {
      _ = read(Int(min(4096, frame - position)), into: scratch.samples)
    }
    // What is only passed over is not heard.
    (nonFinite, breaks) = (counted, broken)
  }

  /// What the file says of its music.
  public var tags: AudioTags {
    if let knownTags { return knownTags }
    var bytes = TagBytes()
    bytes.title = sf_get_string(opened.handle, Int32(SF_STR_TITLE)).map { tagBytes($0) }
    bytes.artist = sf_get_string(opened.handle, Int32(SF_STR_ARTIST)).map { tagBytes($0) }
    bytes.album = sf_get_string(opened.handle, Int32(SF_STR_ALBUM)).map { tagBytes($0) }
    // libsndfile takes all of them as ISO 8859-1 that are not said to be UTF-8 or UTF-16.
    if let old = ID3Texts(of: opened.file) { bytes.take(old) }
    var tags = AudioTags()
    (tags.title, tags.artist, tags.album) = bytes.texts
    if let comments = FlacComments(of: opened.file) { tags.loudness = LoudnessTags { comments[$0] } }
    #if FFmpeg
      // libsndfile knows neither the chunk of ID3 tags that WAV and AIFF may have, nor any picture.
      if let sign = TagProbe(of: opened.file) {
        tags.hasCover = sign.hasCover
        if sign.isWanted,
          let others = (try? Demuxer(opened.file, as: sign.container)).map({
            FFmpegFile.tags($0, of: opened.file)
          })
        {
          tags.title = tags.title ?? others.title
          tags.artist = tags.artist ?? others.artist
          tags.album = tags.album ?? others.album
          tags.loudness = others.loudness
        }
      }
    #endif
    knownTags = tags
    return tags
  }

  /// The picture of the album; taken out of the file by FFmpeg.
  public func cover() -> CoverPicture? {
    #if FFmpeg
      guard let sign = TagProbe(of: opened.file), sign.hasCover else { return nil }
      return (try? Demuxer(opened.file, as: sign.container))?.cover()
    #else
      return nil
    #endif
  }

  /// Takes a new decoder for the file that is open, even if it has been deleted since.
  private func startAfresh() throws(AudioError) {
    // The old decoder reads no further, even if there is to be no new one: both share the file's position.
    isOver = true
    let fresh: OpenedFile
    do { fresh = try OpenedFile(of: opened.file) } catch {
      throw AudioError(.rewind, path: path, reason: error.reason)
    }
    guard fresh.format.channels == format.channels, fresh.format.rate == format.rate else {
      sf_close(fresh.handle)
      throw AudioError(.rewind, path: path, reason: "other channels or another rate than before")
    }
    sf_close(opened.handle)
    opened = fresh
  }
}
