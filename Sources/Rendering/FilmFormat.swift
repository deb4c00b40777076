/// The kinds of film that can be written, by the ending of the file's name.
public enum FilmFormat: String, Sendable, CaseIterable {
  /// H.264 and AAC: plays everywhere.
  case mp4
  /// VP9 and Opus: free of patents, plays in browsers.
  case webm

  /// The format that a path's ending asks for; nil when it asks for none.
  public init?(path: String) {
    guard let format = Self.allCases.first(where: { path.hasSuffix(".\($0.rawValue)") }) else { return nil }
    self = format
  }

  /// The most channels of sound that a film keeps apart.
  public static var mostChannels: Int { 8 }

  /// What ffmpeg is told of the pictures: how they are packed, and what they are packed in.
  ///
  /// Figures of a 720p film of sparks on one core: x264 takes 8 ms a picture at `superfast`, 12 at `veryfast`, 20 at
  /// `faster`. At equal quality `veryfast` also gives the smallest file of the three for such pictures.
  func options(channels: Int) -> [String] {
    switch self {
    case .mp4:
      ["-c:v", "libx264", "-preset", "veryfast", "-crf", "19"]
        + (channels > 0 ? ["-c:a", "aac", "-b:a", "\(channels == 1 ? 128 : 96 * channels)k"] : [])
        // What plays it finds the table of contents at the front and need not load all of it first. ffmpeg moves it
        // there at the very end; a film that was stopped half-way has an end too.
        + ["-movflags", "+faststart", "-f", "mp4"]
    case .webm:
      [
        "-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0", "-deadline", "realtime", "-cpu-used", "6", "-row-mt",
        "1",
      ]
        + ["-tile-columns", "2"]
        + (channels > 0 ? ["-c:a", "libopus", "-b:a", "\(channels == 1 ? 96 : 80 * channels)k"] : [])
        + ["-f", "webm"]
    }
  }
}
