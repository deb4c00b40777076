/// Opens an audio file with the decoder that is best for what is in it. [any]
///
/// - Parameter path: the file, relative to the working folder or absolute.
/// - Throws: `AudioFault`: `.missing`, `.folder`, `.notAFile`, `.unreadable`, `.empty`, `.notAudio`, `.decoder`,
///   `.channels` or `.rate`.
public func openAudio(_ path: String) throws(AudioFault) -> any AudioReader {
  let file = try RegularFile(path: path)
  let route = AudioRoute(of: file)
  #if FFmpeg
    if route == .sndfile { return try AudioFile(file) }
    // What would take memory without end is refused before any library sees it.
    try refuseExcess(file, route)
    return try FFmpegFile(file, route)
  #else
    do throws(AudioFault) { return try AudioFile(file) } catch {
      if route == .sndfile { throw error }
      throw AudioFault(.decoder, path: path, reason: "this visgraph is built without FFmpeg")
    }
  #endif
}

#if FFmpeg
  /// Refuses files whose tables are larger than those of real ones.
  private func refuseExcess(_ file: RegularFile, _ route: AudioRoute) throws(AudioFault) {
    let isBounded =
      switch route {
      case .ffmpeg(.movie): MovieTracks(of: file) != nil
      case .ffmpeg(.caf): CafTable(of: file) != nil
      default: true
      }
    if !isBounded { throw AudioFault(.notAudio, path: file.path, reason: "its tables are too large") }
  }
#endif
