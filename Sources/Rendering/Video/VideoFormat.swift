import Glibc

/// The file formats of videos, by the suffix of the name.
public enum VideoFormat: String, Sendable, CaseIterable {
  /// H.264 and AAC: plays everywhere.
  case mp4
  /// VP9 and Opus: free of patents, plays in browsers, can be transparent.
  case webm
  /// ProRes 4444 and PCM samples: for editing, can be transparent.
  case mov

  /// The format for a path's suffix; nil if there is none.
  public init?(path: String) {
    guard let format = Self.allCases.first(where: { path.hasSuffix(".\($0.rawValue)") }) else { return nil }
    self = format
  }

  /// The most channels of sound in a video.
  public static var mostChannels: Int { 8 }

  /// The codecs that it can hold, the default first.
  public var codecs: [VideoCodec] {
    switch self {
    case .mp4: [.h264, .hevc, .av1]
    case .webm: [.vp9, .av1]
    case .mov: [.prores, .h264, .hevc]
    }
  }

  /// The options of ffmpeg for the sound; none for 0 channels.
  func sound(channels: Int) -> [String] {
    if channels == 0 { return [] }
    return switch self {
    case .mp4: ["-c:a", "aac", "-b:a", "\(channels == 1 ? 128 : 96 * channels)k"]
    case .webm: ["-c:a", "libopus", "-b:a", "\(channels == 1 ? 96 : 80 * channels)k"]
    case .mov: ["-c:a", "pcm_s24le"]
    }
  }

  /// The options of ffmpeg for the container.
  var container: [String] {
    switch self {
    // `faststart` moves the index to the front, so that players need not load the whole file first. ffmpeg does that
    // when it ends, also for a video that was stopped early.
    case .mp4: ["-movflags", "+faststart", "-f", "mp4"]
    case .mov: ["-movflags", "+faststart+write_colr", "-f", "mov"]
    case .webm: ["-f", "webm"]
    }
  }
}

/// The format, codec and quality of a video.
public struct VideoSettings: Equatable, Sendable {
  /// The file format.
  public let format: VideoFormat
  /// The codec of the pictures.
  public let codec: VideoCodec
  /// Quality against size.
  public let quality: VideoQuality
  /// Whether transparent parts of the stage stay transparent.
  public let hasAlpha: Bool

  /// Makes settings; nil if the format cannot hold the codec. The video is transparent if `isClear` and the codec
  /// stores alpha.
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

  /// The libraries with which ffmpeg must have been built.
  func libraries(hasSound: Bool) -> [String] {
    [codec.library, hasSound && format == .webm ? "libopus" : nil].compactMap { $0 }
  }

  /// Whether pictures are passed to ffmpeg as Y'CbCr planes, in the form that it encodes: 1.5 bytes per pixel instead
  /// of 4, and no conversion in ffmpeg.
  public var takesPlanes: Bool { codec.pixels(hasAlpha: hasAlpha) == "yuv420p" }
}

/// Why a video, or a sequence of pictures, cannot be started or finished. [any]
public struct VideoError: Error, Equatable, Sendable {
  /// The stable error code, in kebab case.
  public let code: String
  /// What is wrong, in one sentence without a full stop, with the name of the file.
  public let message: String

  /// Makes an error.
  public init(_ code: String, _ message: String) {
    self.code = code
    self.message = message
  }

  /// Makes the error for an `errno` about a file.
  static func file(_ path: String, _ number: Int32) -> VideoError {
    VideoError(
      number == EEXIST ? "file-exists" : "cannot-write", "\(path): \(String(cString: strerror(number)))")
  }
}
