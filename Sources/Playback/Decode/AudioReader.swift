import System

/// An audio file being decoded: what every decoder offers, whatever library is behind it.
///
/// [one] Reading past the end gives 0 samples until `rewind`.
public protocol AudioReader: SampleSource {
  /// The file, as it was given.
  var path: String { get }

  /// What the file says of itself.
  var format: AudioFormat { get }

  /// Samples that were not finite and became 0, in all channels since the file was opened.
  var nonFinite: Int { get }

  /// Where it could not be decoded and went on after it, since it was opened; `fault` is for what ended it.
  var breaks: DecodeBreaks { get }

  /// What the file says of its music. Read when first asked for.
  var tags: AudioTags { get }

  /// The picture of the album; nil where there is none, or none of a bounded size.
  func cover() -> CoverPicture?

  /// The sample that is read next, from 0.
  var position: Int64 { get }

  /// Goes back to the first sample and forgets `fault`.
  ///
  /// - Throws: `AudioError` with the code `.rewind`.
  func rewind() throws(AudioError)

  /// Goes to a sample, exactly, and forgets `fault`: what is read next is what reading from the start would give there.
  ///
  /// - Parameter frame: from 0; beyond the end is the end.
  /// - Throws: `AudioError` with the code `.rewind`.
  func seek(to frame: Int64) throws(AudioError)

  /// Opens the same file anew, from its first sample.
  ///
  /// - Throws: `AudioError`, as opening it the first time would.
  func reopened() throws(AudioError) -> any AudioReader
}

extension AudioReader {
  /// None.
  public var breaks: DecodeBreaks { DecodeBreaks() }

  /// Channels, as the format has them.
  public var channels: Int { format.channels }
}

/// Opens an audio file with the decoder that is best for what is in it. [any]
///
/// - Parameters:
///   - path: the file, relative to the working folder or absolute.
///   - glances: whether nothing is wanted but what its beginning says: then no file is read to its end to count what is
///     in it.
/// - Throws: `AudioError`: `.missing`, `.folder`, `.notAFile`, `.unreadable`, `.empty`, `.notAudio`, `.decoder`,
///   `.channels` or `.rate`.
public func openAudio(_ path: String, glances: Bool = false) throws(AudioError) -> any AudioReader {
  let file: RegularFile
  do throws(AudioError) { file = try RegularFile(path: path) } catch {
    // What lies nowhere may be a track of a sheet.
    guard error.code == .missing, let part = CuePath(path) else { throw error }
    return try FilePart(part, path: path, glances: glances)
  }
  return try openAudio(file, counts: !glances)
}

/// The same of a file that is open.
///
/// - Parameter isRest: whether it is what lies behind zeros, which may not lie there a second time.
func openAudio(_ file: RegularFile, counts: Bool = true, isRest: Bool = false) throws(AudioError)
  -> any AudioReader
{
  let route = DecoderChoice(of: file)
  #if FFmpeg
    if route == .sndfile { return try openWithEither(file, counts: counts, isRest: isRest) }
    // MP3 is played without FFmpeg, too.
    if case .frames(.mpeg, _) = route, !FFmpegLibrary.isThere { return try AudioFile(file) }
    // What would take memory without end is refused before any library sees it.
    try refuse(file, route)
    if route == .ogg, counts {
      let links = OggLinks(of: file)
      if links.parts.count > 1 {
        return try ChainedFile(file, parts: links.parts, rest: links.rest) { part throws(AudioError) in
          try FFmpegFile(part, .ogg)
        }
      }
    }
    return try FFmpegFile(file, route, counts: counts)
  #else
    do throws(AudioError) { return try AudioFile(file) } catch {
      if route == .sndfile { throw error.explained(file) }
      throw AudioError(.decoder, path: file.path, reason: "this visgraph is built without FFmpeg")
    }
  #endif
}

extension AudioError {
  /// The same refusal with what the file is, where its first bytes tell.
  fileprivate func explained(_ file: RegularFile) -> AudioError {
    guard code == .notAudio, let words = FileKind.words(of: file) else { return self }
    return AudioError(code, path: path, reason: words)
  }
}

#if FFmpeg
  /// Opens a file with libsndfile, and where that refuses it with FFmpeg, if the first bytes name a container.
  private func openWithEither(_ file: RegularFile, counts: Bool, isRest: Bool) throws(AudioError)
    -> any AudioReader
  {
    do throws(AudioError) {
      let first = try AudioFile(file)
      // libsndfile takes these floats for whole numbers, which is noise.
      if first.format.codec == "pcm_s32", W64Head(of: file)?.isExtensibleFloat == true {
        return try FFmpegFile(file, .ffmpeg(.w64))
      }
      return counts && first.contradicts(file) ? try FFmpegFile(file, .ffmpeg(.flac)) : first
    } catch {
      guard error.code == .notAudio || error.code == .empty, FFmpegLibrary.isThere else {
        throw error.explained(file)
      }
      guard let second = DecoderChoice.second(for: file) else {
        // Some programs leave more room behind a tag than it says.
        if !isRest, let rest = ZeroGap.rest(of: file) {
          return try openAudio(rest, counts: counts, isRest: true)
        }
        throw error.explained(file)
      }
      do throws(AudioError) {
        try refuse(file, second)
        return try FFmpegFile(file, second, counts: counts)
      } catch let other {
        // What has no samples has none for either.
        throw error.code == .empty ? error : other
      }
    }
  }

  extension AudioFile {
    /// Whether the last frame of a FLAC file says other than its head, which libsndfile believes: that there is more, or
    /// that it has another rate or other channels.
    fileprivate func contradicts(_ file: RegularFile) -> Bool {
      guard format.codec == "flac", FFmpegLibrary.isThere, let end = FlacStream(of: file)?.end(of: file)
      else {
        return false
      }
      return end.frames > format.frames ?? .max || end.rate != format.rate || end.channels != format.channels
    }
  }

  /// Refuses files whose tables are larger than those of real ones, and what is protected.
  private func refuse(_ file: RegularFile, _ route: DecoderChoice) throws(AudioError) {
    let isBounded =
      switch route {
      case .ffmpeg(.movie): MovieTracks(of: file) != nil
      case .ffmpeg(.caf): CafTable(of: file) != nil
      default: true
      }
    if !isBounded { throw AudioError(.notAudio, path: file.path, reason: "its tables are too large") }
    if route == .ffmpeg(.asf), WindowsMedia.isProtected(file) {
      throw AudioError(.notAudio, path: file.path, reason: "it is protected (DRM)")
    }
  }
#endif

/// What an audio file says of itself.
public struct AudioFormat: Equatable, Sendable {
  /// Channels, 1 … 1024.
  public let channels: Int
  /// Samples a second of each channel, in Hz.
  public let rate: Int
  /// Samples per channel, nil where the file does not say (a streamed FLAC).
  ///
  /// A statement, not a promise: what counts is where reading ends.
  public let frames: Int64?
  /// Whether `frames` may be held against the file: an MP3's is often a guess.
  public let framesAreExact: Bool
  /// Container and coding in words, such as `WAV (Microsoft), Signed 16 bit PCM`.
  public let description: String
  /// The names of its channels, such as `Left`; empty where the file says nothing of them.
  public let channelNames: [String]
  /// The coding in a word, such as `aac`, `flac`, `pcm_s16`; empty where unknown.
  public let codec: String
  /// Bits a second of the whole file; nil where unknown.
  public let bitRate: Int?
  /// What is wrong with a file that can be played all the same: it is shorter than its header says.
  public let warning: AudioError?

  /// States a format.
  public init(
    channels: Int, rate: Int, frames: Int64?, framesAreExact: Bool = true, description: String,
    channelNames: [String] = [], codec: String = "", bitRate: Int? = nil, warning: AudioError? = nil
  ) {
    self.channels = channels
    self.rate = rate
    self.frames = frames
    self.framesAreExact = framesAreExact
    self.description = description
    self.channelNames = channelNames
    self.codec = codec
    self.bitRate = bitRate
    self.warning = warning
  }

  /// How long the file says it plays, in seconds; nil where it does not say.
  public var duration: Double? { frames.map { Double($0) / Double(rate) } }
}

/// Something that gives samples one after the other: a file, a file played in a loop, a resampler behind it.
///
/// [one] A source is pulled: the last stage asks the one before it.
public protocol SampleSource: AnyObject {
  /// Channels, at least 1; never changes.
  var channels: Int { get }

  /// Why the sound ended before its time, nil as long as it did not.
  var fault: AudioError? { get }

  /// Gives the next samples, all of them finite.
  ///
  /// - Parameters:
  ///   - count: samples per channel that are wanted, at least 1.
  ///   - destination: room for them, with the source's channels.
  /// - Returns: samples per channel given; fewer than `count` only at the end, and then 0 ever after.
  func read(_ count: Int, into destination: PlanarSamples) -> Int
}
