import Glibc
import System

/// The words that ffmpeg is started with.
struct FFmpegArguments {
  /// What the pictures come from, on descriptor 0.
  enum Source {
    /// Pixels of so many pixels across and down.
    case pixels(width: Int, height: Int)
    /// The same, of a segment: whichever machine packs them, the bytes are the same.
    case segment(width: Int, height: Int)
    /// A list of segments, whose pictures stay as they are.
    case list
  }

  let path: String
  let recipe: VideoSettings
  let source: Source
  let frames: Int
  let seconds: Int
  /// Samples a second.
  let rate: Int
  /// The channels of its sound; nil where it has none.
  let layout: VideoChannelLayout?
  /// Seconds that the sound is moved by, to make up for what ffmpeg would move it.
  let soundDelay: Double

  /// The command, the program's name first.
  var words: [String] {
    ["ffmpeg", "-nostdin", "-hide_banner", "-v", "error", "-y"] + pictures + samples + packing
      + recipe.format.sound(channels: layout?.width ?? 0) + recipe.format.container + ["file:\(path)"]
  }

  /// How the pictures are packed.
  private var packing: [String] {
    let codec = recipe.codec
    // A word of the numbers in the file: without, players guess by the size and colors shift.
    let colors = [
      "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv",
    ]
    return switch source {
    case .pixels: conversion + colors + codec.options(recipe.quality, hasAlpha: recipe.hasAlpha)
    case .segment:
      conversion + colors + codec.options(recipe.quality, hasAlpha: recipe.hasAlpha, isAnywhere: true)
    // Nothing by chance: a .webm would else have numbers that no other has.
    case .list: ["-c:v", "copy"] + codec.tag + ["-fflags", "+bitexact"]
    }
  }

  /// Nothing is looked at before it begins: while ffmpeg waited for seconds of one pipe, the other would be full.
  private let blind = ["-probesize", "32", "-analyzeduration", "0"]

  private var pictures: [String] {
    switch source {
    case .pixels(let width, let height), .segment(let width, let height): pixels(width, height)
    // Files may have any name, and only files are meant.
    case .list: ["-f", "concat", "-safe", "0", "-protocol_whitelist", "file,pipe", "-i", "pipe:0"]
    }
  }

  private func pixels(_ width: Int, _ height: Int) -> [String] {
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

/// What is known of the ffmpeg that the PATH leads to.
struct FFmpegProgram {
  /// What it says of its version, its building and its libraries.
  private let lines: [String]

  /// Asks it. Throws the system's `errno`, `ENOENT` where there is none, `ETIMEDOUT` where it does not answer.
  init() throws(Errno) {
    let end = try FFmpegProcess(
      ["ffmpeg", "-version"], listensToResults: true,
      watchdog: ProcessWatchdog(path: nil, seconds: 60, isStopping: { true })
    ).wait()
    if end.ending == .stalled { throw Errno(ETIMEDOUT) }
    lines = end.lines
  }

  /// Which one it is, as it says itself.
  var name: String {
    let line = lines.first { $0.hasPrefix("ffmpeg version") } ?? "unknown"
    return line.firstRange(of: " Copyright").map { String(line[..<$0.lowerBound]) } ?? line
  }

  /// The first of the libraries that it says it was built without.
  func missing(of libraries: [String]) -> String? {
    guard let line = lines.first(where: { $0.hasPrefix("configuration:") }) else { return nil }
    let words = line.split(separator: " ")
    return libraries.first { !words.contains("--enable-\($0)") }
  }

  /// How much earlier than the pictures sound is heard in a video that it writes, unless told otherwise: Opus begins
  /// with 312 samples at 48 kHz that nobody hears, and until libavformat 60 the pictures of a .webm were moved by them.
  var opusLead: Double {
    guard let line = lines.first(where: { $0.hasPrefix("libavformat") }),
      let major = Int(
        line.dropFirst("libavformat".count).drop(while: \.isWhitespace).prefix(while: \.isNumber))
    else { return 0 }
    return major < 60 ? 312.0 / 48_000 : 0
  }
}

/// Which loudspeakers the channels of a sound stand for in a video.
struct VideoChannelLayout: Equatable {
  /// Channels in the video.
  let width: Int
  /// What ffmpeg calls it; nil: what it takes for so many channels by itself.
  let name: String?
  /// For each channel of the sound its place in the video, from 0; nil: each its own.
  let places: [Int]?

  /// How a video of a format holds 1…8 channels: as ffmpeg does by itself, where that keeps them whole and apart.
  init(_ format: VideoFormat, channels: Int) {
    switch (format, channels) {
    // Left, right and one for the deep tones by itself: everything else of the third would be lost.
    case (_, 3): self.init(width: 3, name: "3.0")
    // Opus knows four corners only.
    case (.webm, 4): self.init(width: 4, name: "quad")
    // With five and seven ffmpeg (5.1) puts channels of Opus into each other's place. With one more, silent, it does not.
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

  /// The samples as the video has them, channel by channel within each.
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
