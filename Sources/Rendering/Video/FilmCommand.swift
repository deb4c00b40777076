/// The words that ffmpeg is started with.
struct FilmCommand {
  let path: String
  let recipe: FilmRecipe
  let width: Int
  let height: Int
  let frames: Int
  let seconds: Int
  /// Samples a second.
  let rate: Int
  /// The channels of its sound; nil where it has none.
  let layout: FilmLayout?
  /// Seconds that the sound is moved by, to make up for what ffmpeg would move it.
  let soundDelay: Double

  /// The command, the program's name first.
  var words: [String] {
    ["ffmpeg", "-nostdin", "-hide_banner", "-v", "error", "-y"] + pictures + samples + conversion
      // A word of the numbers in the file: without, players guess by the size and colours shift.
      + ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"]
      + recipe.options(channels: layout?.width ?? 0) + ["file:\(path)"]
  }

  /// Nothing is looked at before it begins: while ffmpeg waited for seconds of one pipe, the other would be full.
  private let blind = ["-probesize", "32", "-analyzeduration", "0"]

  private var pictures: [String] {
    ["-f", "rawvideo"]
      + (recipe.takesPlanes
        ? ["-pixel_format", "yuv420p", "-colorspace", "bt709", "-color_range", "tv"]
        : ["-pixel_format", "rgba"])
      + ["-video_size", "\(width)x\(height)", "-framerate", "\(frames)/\(seconds)"] + blind
      + ["-thread_queue_size", "4", "-i", "pipe:0"]
  }

  private var samples: [String] {
    guard let layout else { return [] }
    return (soundDelay == 0 ? [] : ["-itsoffset", "\(soundDelay)"])
      + ["-f", "f32le", "-ar", "\(rate)", "-ac", "\(layout.width)"]
      + (layout.name.map { ["-channel_layout", $0] } ?? []) + blind
      + ["-thread_queue_size", "1024", "-i", "pipe:3", "-map", "0:v", "-map", "1:a"]
  }

  /// Wide-range RGB to narrow-range Y'CbCr with the numbers of HDTV; planes are that already.
  private var conversion: [String] {
    let pixels = recipe.codec.pixels(hasAlpha: recipe.hasAlpha)
    return recipe.takesPlanes
      ? ["-pix_fmt", pixels] : ["-vf", "scale=out_color_matrix=bt709:out_range=tv,format=\(pixels)"]
  }
}
