/// The words that ffmpeg is started with.
struct FilmCommand {
  let path: String
  let format: FilmFormat
  let width: Int
  let height: Int
  let frames: Int
  let seconds: Int
  let sound: Film.Sound?

  /// The command, the program's name first.
  var words: [String] {
    ["ffmpeg", "-nostdin", "-hide_banner", "-v", "error", "-y"] + pictures + samples
      + [
        // Wide-range RGB to narrow-range Y'CbCr with the numbers of HDTV, and a word of it in the file: without, players
        // guess by the size and colours shift.
        "-vf", "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p", "-colorspace", "bt709",
        "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv",
      ] + format.options(channels: sound?.channels ?? 0) + ["file:\(path)"]
  }

  /// Nothing is looked at before it begins: while ffmpeg waited for seconds of one pipe, the other would be full.
  private let blind = ["-probesize", "32", "-analyzeduration", "0"]

  private var pictures: [String] {
    ["-f", "rawvideo", "-pixel_format", "rgba", "-video_size", "\(width)x\(height)"]
      + ["-framerate", "\(frames)/\(seconds)"] + blind + ["-thread_queue_size", "4", "-i", "pipe:0"]
  }

  private var samples: [String] {
    guard let sound else { return [] }
    return ["-f", "f32le", "-ar", "\(sound.rate)", "-ac", "\(sound.channels)"] + blind
      + ["-thread_queue_size", "1024", "-i", "pipe:3", "-map", "0:v", "-map", "1:a"]
  }
}
