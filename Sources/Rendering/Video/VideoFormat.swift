import Glibc

/// The kinds of video that can be written, by the ending of the file's name.
public enum VideoFormat: String, Sendable, CaseIterable {
  /// H.264 and AAC: plays everywhere.
  case mp4
  /// VP9 and Opus: free of patents, plays in browsers, can be transparent.
  case webm
  /// ProRes 4444 and plain samples: for editing, can be transparent.
  case mov

  /// The format that a path's ending asks for; nil when it asks for none.
  public init?(path: String) {
    guard let format = Self.allCases.first(where: { path.hasSuffix(".\($0.rawValue)") }) else { return nil }
    self = format
  }

  /// The most channels of sound that a video keeps apart.
  public static var mostChannels: Int { 8 }

  /// The codecs that it can hold, the one that it has unless told first.
  public var codecs: [VideoCodec] {
    switch self {
    case .mp4: [.h264, .hevc, .av1]
    case .webm: [.vp9, .av1]
    case .mov: [.prores, .h264, .hevc]
    }
  }

  /// The options of ffmpeg for the sound.
  func sound(channels: Int) -> [String] {
    if channels == 0 { return [] }
    return switch self {
    case .mp4: ["-c:a", "aac", "-b:a", "\(channels == 1 ? 128 : 96 * channels)k"]
    case .webm: ["-c:a", "libopus", "-b:a", "\(channels == 1 ? 96 : 80 * channels)k"]
    case .mov: ["-c:a", "pcm_s24le"]
    }
  }

  /// The options of ffmpeg for the file.
  var container: [String] {
    switch self {
    // What plays it finds the table of contents at the front and need not load all of it first. ffmpeg moves it
    // there at the very end; a video that was stopped half-way has an end too.
    case .mp4: ["-movflags", "+faststart", "-f", "mp4"]
    case .mov: ["-movflags", "+faststart+write_colr", "-f", "mov"]
    case .webm: ["-f", "webm"]
    }
  }
}

/// How a video is to be made.
public struct VideoSettings: Equatable, Sendable {
  /// What its file is.
  public let format: VideoFormat
  /// How its pictures are packed.
  public let codec: VideoCodec
  /// How much of them is kept.
  public let quality: VideoQuality
  /// Whether they are transparent where the stage is.
  public let hasAlpha: Bool

  /// A video of a format; nil where that cannot hold the codec. It is transparent where `isClear` and the codec can.
  public init?(
    _ format: VideoFormat, codec: VideoCodec? = nil, quality: VideoQuality = .normal, isClear: Bool = false
  ) {
    let codec = codec ?? format.codecs[0]
    guard format.codecs.contains(codec) else { return nil }
    self.format = format
    self.codec = codec
    self.quality = quality
    hasAlpha = isClear && codec.carriesAlpha
  }

  /// The libraries that ffmpeg needs for it.
  func libraries(hasSound: Bool) -> [String] {
    [codec.library, hasSound && format == .webm ? "libopus" : nil].compactMap { $0 }
  }

  /// Whether its pictures are handed over as planes, as they are packed: less to hand over, and nothing to do for ffmpeg.
  public var takesPlanes: Bool { codec.pixels(hasAlpha: hasAlpha) == "yuv420p" }
}

/// Why a video, or a row of pictures, cannot be begun or finished. [any]
public struct VideoError: Error, Equatable, Sendable {
  /// Stable, kebab-case.
  public let code: String
  /// What is wrong, in one sentence without a full stop, the file named.
  public let message: String

  /// Makes a fault.
  public init(_ code: String, _ message: String) {
    self.code = code
    self.message = message
  }

  /// What the system said of a file.
  static func file(_ path: String, _ number: Int32) -> VideoError {
    VideoError(
      number == EEXIST ? "file-exists" : "cannot-write", "\(path): \(String(cString: strerror(number)))")
  }
}
