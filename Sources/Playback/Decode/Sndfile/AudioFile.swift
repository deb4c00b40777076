import CSndfile
import System

/// An audio file decoded by libsndfile: WAV, AIFF, AU, W64, CAF, FLAC, Ogg, MP3. [one]
///
/// It reads by file descriptor and never maps the file: a file that is truncated during playing ends early and does
/// not kill the process. A file that is deleted or replaced by renaming plays on from the old one.
public final class AudioFile: AudioReader {
  /// Decoding faults after which reading ends.
  private static let mostBreaks = 100

  /// The format of the file.
  public var format: AudioFormat { opened.format }
  /// The path, as it was given.
  public let path: String
  /// Samples, over all channels, that were not finite and became 0.
  public private(set) var nonFinite = 0
  /// Why the sound ended early.
  public private(set) var fault: AudioError?

  private var opened: OpenedFile
  private let block: UnsafeMutablePointer<Float>
  private let blockCount: Int
  /// The sample that is read next, from 0.
  public private(set) var position: Int64 = 0
  /// The places at which decoding failed and went on.
  public private(set) var breaks = DecodeBreaks()
  private var isOver = false
  /// The tags, once they have been read.
  private var knownTags: AudioTags?
  /// Samples of silence that are still to be read in place of lost ones.
  private var missing: Int64 = 0

  /// Opens a file.
  ///
  /// - Parameter path: the file, relative to the working folder or absolute.
  /// - Throws: `AudioError`: `.missing`, `.folder`, `.notAFile`, `.unreadable`, `.empty`, `.notAudio`,
  ///   `.channels` or `.rate`.
  public convenience init(path: String) throws(AudioError) { try self.init(try RegularFile(path: path)) }

  /// Opens the sound of an open file.
  init(_ file: RegularFile) throws(AudioError) {
    let opened = try OpenedFile(of: file)
    path = file.path
    self.opened = opened
    // Large enough that the cost of calls does not matter, and small enough for the cache.
    blockCount = max(64, 16_384 / opened.format.channels)
    block = .allocate(capacity: blockCount * opened.format.channels)
  }

  deinit {
    opened.close()
    block.deallocate()
  }

  /// Reads the next samples.
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

  /// Decodes at most one block. Converts 16-bit samples to floats here: libsndfile gives the same values, but slowly.
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

  /// Searches for sound behind a decoding fault. Returns whether reading goes on.
  private func goOn() -> Bool {
    // Linear PCM has no decoding faults, only missing bytes; for other codecs, the length of a gap is unknown.
    guard format.codec == "flac", let frames = format.frames, position < frames,
      breaks.count < AudioFile.mostBreaks
    else { return false }
    let error = sf_error(opened.handle)
    let reason = error != 0 ? DecodeFault.words(sndfile: error) : "samples are missing"
    // After a fault a decoder may not seek, so each try takes a fresh one. The distance doubles, so that there are few
    // tries.
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

  /// Ends reading, with a fault if more should have come.
  private func finish() {
    isOver = true
    if format.framesAreExact, let frames = format.frames, position < frames {
      fault = AudioError(.truncated, path: path, reason: "\(position) samples of \(frames)")
    } else if sf_error(opened.handle) != 0 {
      let reason = "after sample \(position): " + DecodeFault.words(sndfile: sf_error(opened.handle))
      fault = AudioError(.read, path: path, reason: reason)
    }
  }

  /// Seeks to the first sample and clears `fault`.
  public func rewind() throws(AudioError) {
    // After a seek the MP3 decoder rounds differently than from the start, and a decoder may not seek at all after a
    // fault: both are replaced by a fresh one.
    if fault != nil || opened.seeking != .exact || sf_seek(opened.handle, 0, Int32(SEEK_SET)) != 0 {
      try startAfresh()
    }
    position = 0
    missing = 0
    isOver = false
    fault = nil
  }

  /// Seeks exactly to a sample.
  public func seek(to frame: Int64) throws(AudioError) {
    let end = opened.end ?? (format.framesAreExact ? format.frames : nil)
    let frame = max(0, min(frame, end ?? .max / 4))
    let start = opened.start(for: frame)
    // Decodes on from the current place if that is within 2 s before the sample.
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
        // A fresh decoder may seek where one that has had a fault does not.
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
    // Skipped samples do not count.
    (nonFinite, breaks) = (counted, broken)
  }

  /// The tags of the file; read when first needed.
  public var tags: AudioTags {
    if let knownTags { return knownTags }
    var bytes = TagBytes()
    bytes.title = sf_get_string(opened.handle, Int32(SF_STR_TITLE)).map { tagBytes($0) }
    bytes.artist = sf_get_string(opened.handle, Int32(SF_STR_ARTIST)).map { tagBytes($0) }
    bytes.album = sf_get_string(opened.handle, Int32(SF_STR_ALBUM)).map { tagBytes($0) }
    // libsndfile decodes texts that are not marked as UTF-8 or UTF-16 as ISO 8859-1; these are guessed anew.
    if let old = ID3Texts(of: opened.file) { bytes.take(old) }
    var tags = AudioTags()
    (tags.title, tags.artist, tags.album) = bytes.texts
    if let comments = FlacComments(of: opened.file) { tags.loudness = LoudnessTags { comments[$0] } }
    #if FFmpeg
      // libsndfile reads neither the ID3 chunk of WAV and AIFF nor any picture.
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

  /// The cover picture, which FFmpeg extracts.
  public func cover() -> CoverPicture? {
    #if FFmpeg
      guard let sign = TagProbe(of: opened.file), sign.hasCover else { return nil }
      return (try? Demuxer(opened.file, as: sign.container))?.cover()
    #else
      return nil
    #endif
  }

  /// Replaces the decoder by a fresh one for the open file, even if that has been deleted.
  private func startAfresh() throws(AudioError) {
    // The old decoder must not read on, even if opening fails: both share the file's position.
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
