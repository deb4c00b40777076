import Glibc
import System

/// The command line with which ffmpeg writes a film.
struct FFmpegArguments {
  /// The source of the pictures, on descriptor 0.
  enum Source {
    /// Raw pixels of a film.
    case pixels(width: Int, height: Int)
    /// Raw pixels of a segment, which must be encoded to the same bytes on any machine.
    case segment(width: Int, height: Int)
    /// A list of segments, whose pictures are copied without encoding.
    case list
  }

  let path: String
  let recipe: VideoSettings
  let source: Source
  let frames: Int
  let seconds: Int
  /// Samples per second.
  let rate: Int
  /// The channel layout of the sound; nil without sound.
  let layout: VideoChannelLayout?
  /// Seconds by which the sound is delayed, to compensate for ffmpeg's own offset.
  let soundDelay: Double

  /// The arguments, beginning with the program's name.
  var words: [String] {
    ["ffmpeg", "-nostdin", "-hide_banner", "-v", "error", "-y"] + pictures + samples + encoding
      + recipe.format.sound(channels: layout?.width ?? 0) + recipe.format.container + ["file:\(path)"]
  }

  /// The options for the pictures in the file.
  private var encoding: [String] {
    let codec = recipe.codec
    // The file states the color space. Otherwise players would guess it from the size, and colors would shift.
    let colors = [
      "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv",
    ]
    return switch source {
    case .pixels: conversion + colors + codec.options(recipe.quality, hasAlpha: recipe.hasAlpha)
    case .segment:
      conversion + colors + codec.options(recipe.quality, hasAlpha: recipe.hasAlpha, isAnywhere: true)
    // `bitexact`: without random numbers. Every .webm would otherwise have a unique id.
    case .list: ["-c:v", "copy"] + codec.tag + ["-fflags", "+bitexact"]
    }
  }

  /// Options without probing: while ffmpeg probed one pipe for seconds, the other would fill up.
  private let withoutProbing = ["-probesize", "32", "-analyzeduration", "0"]

  /// The options for the input of pictures.
  private var pictures: [String] {
    switch source {
    case .pixels(let width, let height), .segment(let width, let height): pixels(width, height)
    // The list may name any file ("unsafe" in ffmpeg's terms), but only local files.
    case .list: ["-f", "concat", "-safe", "0", "-protocol_whitelist", "file,pipe", "-i", "pipe:0"]
    }
  }

  private func pixels(_ width: Int, _ height: Int) -> [String] {
    ["-f", "rawvideo"]
      + (recipe.takesPlanes
        ? ["-pixel_format", "yuv420p", "-colorspace", "bt709", "-color_range", "tv"]
        : ["-pixel_format", "rgba"])
      + ["-video_size", "\(width)x\(height)", "-framerate", "\(frames)/\(seconds)"] + withoutProbing
      + ["-thread_queue_size", "4", "-i", "pipe:0"]
  }

  /// The options for the input of sound.
  private var samples: [String] {
    guard let layout else { return [] }
    return (soundDelay == 0 ? [] : ["-itsoffset", "\(soundDelay)"])
      + ["-f", "f32le", "-ar", "\(rate)", "-ac", "\(layout.width)"]
      + (layout.name.map { ["-channel_layout", $0] } ?? []) + withoutProbing
      + ["-thread_queue_size", "1024", "-i", "pipe:3", "-map", "0:v", "-map", "1:a"]
  }

  /// The options that convert full-range RGB to limited-range Y'CbCr of BT.709 (HDTV). Planes have that form already.
  private var conversion: [String] {
    let pixels = recipe.codec.pixels(hasAlpha: recipe.hasAlpha)
    return recipe.takesPlanes
      ? ["-pix_fmt", pixels] : ["-vf", "scale=out_color_matrix=bt709:out_range=tv,format=\(pixels)"]
  }
}

/// Properties of the ffmpeg on the PATH.
struct FFmpegProgram {
  /// The output of `ffmpeg -version`: version, configuration and libraries.
  private let lines: [String]

  /// Runs `ffmpeg -version`. Throws the system's error: `ENOENT` if there is no ffmpeg, `ETIMEDOUT` if it does not
  /// answer within 60 s.
  init() throws(Errno) {
    let end = try FFmpegProcess(
      ["ffmpeg", "-version"], listensToResults: true,
      watchdog: ProcessWatchdog(path: nil, seconds: 60, isStopping: { true })
    ).wait()
    if end.ending == .stalled { throw Errno(ETIMEDOUT) }
    lines = end.lines
  }

  /// Its version line, without the copyright.
  var name: String {
    let line = lines.first { $0.hasPrefix("ffmpeg version") } ?? "unknown"
    return line.firstRange(of: " Copyright").map { String(line[..<$0.lowerBound]) } ?? line
  }

  /// The first of `libraries` that its configuration lacks; nil if it has all, or does not state it.
  func missing(of libraries: [String]) -> String? {
    guard let line = lines.first(where: { $0.hasPrefix("configuration:") }) else { return nil }
    let words = line.split(separator: " ")
    return libraries.first { !words.contains("--enable-\($0)") }
  }

  /// Seconds by which sound comes too early in a .webm. Opus begins with a pre-skip of 312 samples at 48 kHz, by which
  /// the muxer of libavformat before 60 delayed the pictures.
  var opusLead: Double {
    guard let line = lines.first(where: { $0.hasPrefix("libavformat") }),
      let major = Int(
        line.dropFirst("libavformat".count).drop(while: \.isWhitespace).prefix(while: \.isNumber))
    else { return 0 }
    return major < 60 ? 312.0 / 48_000 : 0
  }
}

/// The loudspeaker layout of the channels in a video.
struct VideoChannelLayout: Equatable {
  /// The number of channels in the video.
  let width: Int
  /// ffmpeg's name of the layout; nil for its default at that number of channels.
  let name: String?
  /// For each channel of the sound its index in the video; nil if they are the same.
  let places: [Int]?

  /// Chooses the layout of 1…8 channels: ffmpeg's default, if that keeps all channels complete and separate.
  init(_ format: VideoFormat, channels: Int) {
    switch (format, channels) {
    // The default is 2.1, whose third channel carries low frequencies only.
    case (_, 3): self.init(width: 3, name: "3.0")
    // Opus has no default layout of four but quad.
    case (.webm, 4): self.init(width: 4, name: "quad")
    // With five and seven channels, ffmpeg 5.1 permutes the channels of Opus. One more channel, silent, avoids that.
    case (.webm, 5): self.init(width: 6, places: [0, 1, 2, 4, 5])
    case (.webm, 7): self.init(width: 8, places: Array(0..<7))
    default: self.init(width: channels)
    }
  }

  private init(width: Int, name: String? = nil, places: [Int]? = nil) {
    self.width = width
    self.name = name
    self.places = places
  }

  /// Returns interleaved samples in the order of the video's channels.
  func laid(_ samples: [Float]) -> [Float] {
    guard let places else { return samples }
    let count = samples.count / places.count
    var laid = [Float](repeating: 0, count: count * width)
    for index in 0..<count {
      for (channel, place) in places.enumerated() {
        laid[index * width + place] = samples[index * places.count + channel]
      }
    }
    return laid
  }
}
