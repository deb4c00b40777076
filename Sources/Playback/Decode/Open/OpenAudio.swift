import System

/// Opens an audio file with the decoder that suits its contents. [any]
///
/// - Parameters:
///   - path: the file, relative to the working folder or absolute.
///   - glances: whether only the beginning of the file is needed; then no file is read to its end to count its samples.
/// - Throws: `AudioError`: `.missing`, `.folder`, `.notAFile`, `.unreadable`, `.empty`, `.notAudio`, `.decoder`,
///   `.channels` or `.rate`.
public func openAudio(_ path: String, glances: Bool = false) throws(AudioError) -> any AudioReader {
  let file: RegularFile
  do throws(AudioError) { file = try RegularFile(path: path) } catch {
    // A path without a file may address a track of a CUE sheet.
    guard error.code == .missing, let part = CuePath(path) else { throw error }
    return try FilePart(part, path: path, glances: glances)
  }
  return try openAudio(file, counts: !glances)
}

/// Opens the sound of an open file.
///
/// - Parameter isRest: whether the file begins behind skipped zeros, which are skipped only once.
func openAudio(_ file: RegularFile, counts: Bool = true, isRest: Bool = false) throws(AudioError)
  -> any AudioReader
{
  let route = DecoderChoice(of: file)
  #if FFmpeg
    if route == .sndfile { return try openWithEither(file, counts: counts, isRest: isRest) }
    // Without FFmpeg, libsndfile decodes MP3.
    if case .frames(.mpeg, _) = route, !FFmpegLibrary.isThere { return try AudioFile(file) }
    // Files that would need unbounded memory are refused before any library reads them.
    try refuse(file, route)
    if route == .ogg, counts {
      let links = OggLinks(of: file)
      if links.ranges.count > 1 {
        return try ChainedFile(file, parts: links.ranges, rest: links.rest) { part throws(AudioError) in
          try FFmpegFile(part, .ogg)
        }
      }
    }
    return try FFmpegFile(file, route, counts: counts)
  #else
    do throws(AudioError) { return try AudioFile(file) } catch {
      if route == .sndfile { throw error.explained(file) }
      throw AudioError(.decoder, path: file.path, reason: "this version of visgraph is built without FFmpeg")
    }
  #endif
}

extension AudioError {
  /// The same fault with the kind of the file as its reason, if the first bytes identify it.
  fileprivate func explained(_ file: RegularFile) -> AudioError {
    guard code == .notAudio, let words = FileKind.words(of: file) else { return self }
    return AudioError(code, path: path, reason: words)
  }
}

#if FFmpeg
  /// Opens a file with libsndfile; if that refuses it, with FFmpeg, if the first bytes name a container.
  private func openWithEither(_ file: RegularFile, counts: Bool, isRest: Bool) throws(AudioError)
    -> any AudioReader
  {
    do throws(AudioError) {
      let first = try AudioFile(file)
      // libsndfile decodes these floats as integers, which gives noise.
      if first.format.codec == "pcm_s32", W64Head(of: file)?.isExtensibleFloat == true {
        return try FFmpegFile(file, .ffmpeg(.w64))
      }
      return counts && first.contradicts(file) ? try FFmpegFile(file, .ffmpeg(.flac)) : first
    } catch {
      guard error.code == .notAudio || error.code == .empty, FFmpegLibrary.isThere else {
        throw error.explained(file)
      }
      guard let second = DecoderChoice.second(for: file) else {
        // Some programs pad a tag with more zeros than it states.
        if !isRest, let rest = ZeroGap.rest(of: file) {
          return try openAudio(rest, counts: counts, isRest: true)
        }
        throw error.explained(file)
      }
      do throws(AudioError) {
        try refuse(file, second)
        return try FFmpegFile(file, second, counts: counts)
      } catch let other {
        // If libsndfile found no samples, its fault is the better one.
        throw error.code == .empty ? error : other
      }
    }
  }

  extension AudioFile {
    /// Whether the last frame of a FLAC file contradicts the header, which libsndfile believes: by a greater length,
    /// another rate or other channels.
    fileprivate func contradicts(_ file: RegularFile) -> Bool {
      guard format.codec == "flac", FFmpegLibrary.isThere, let end = FlacStream(of: file)?.end(of: file)
      else {
        return false
      }
      return end.frames > format.frames ?? .max || end.rate != format.rate || end.channels != format.channels
    }
  }

  /// Refuses files whose tables exceed those of real files, and encrypted ones.
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

extension AudioReader {
  /// Opens the file at that path again, with the decoder that suits it now.
  public func reopened() throws(AudioError) -> any AudioReader { try openAudio(path) }
}
