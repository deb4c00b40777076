/// How to seek in a file so that the samples are those of decoding from the start. [any]
struct SeekRule: Equatable {
  /// Samples per channel that are decoded before the requested one (preroll), until the decoder's state has converged.
  let preroll: Int64
  /// Whether the output after the preroll is bit-exact.
  let isExact: Bool
  /// Whether the container has an index of packets whose place is known.
  let hasIndex: Bool

  /// Limit of decoding from the start where seeking by the index is not exact: samples, summed over all channels,
  /// about 1 s of decoding time.
  static let farthest: Int64 = 20_000_000

  /// The rule for a codec in a container.
  init(codec: String, isHigh: Bool, route: DecoderChoice) {
    switch route {
    case .frames, .ogg, .ffmpeg(.movie), .ffmpeg(.caf), .ffmpeg(.wavpack), .ffmpeg(.tta): hasIndex = true
    case .ffmpeg(.wave), .ffmpeg(.w64), .ffmpeg(.au), .ffmpeg(.aiff): hasIndex = codec.hasPrefix("pcm_")
    default: hasIndex = false
    }
    switch codec {
    // Places are known only at the ends of Ogg pages, so up to one page more is decoded.
    case _ where route == .ogg: (preroll, isExact) = (48_000, codec != "speex")
    // In HE-AAC, spectral band replication and noise substitution depend on more of the past than any preroll holds.
    case "aac": (preroll, isExact) = isHigh ? (96_000, false) : (4096, true)
    case "alac", "flac", "wavpack", "tta": (preroll, isExact) = (4096, true)
    // 14 frames of 1152 samples.
    case "mp1", "mp2", "mp3": (preroll, isExact) = (16_128, true)
    case "opus", "vorbis": (preroll, isExact) = (24_000, false)
    case "adpcm_ima_qt": (preroll, isExact) = (48_000, false)
    case _ where codec.hasPrefix("pcm_"): (preroll, isExact) = (4096, true)
    default: (preroll, isExact) = (16_000, false)
    }
  }

  /// The distance in samples per channel beyond which the index is used; nil without an index. Where seeking is not
  /// exact, that is `farthest` over all channels.
  func far(channels: Int64) -> Int64? {
    hasIndex ? isExact ? 2 * preroll : SeekRule.farthest / channels : nil
  }
}

extension DecoderChoice {
  /// Whether FFmpeg trims encoder delay and padding by itself, because the container states them in a form that it
  /// follows.
  var trimsItself: Bool {
    switch self {
    case .ffmpeg(.matroska), .ffmpeg(.wave), .ffmpeg(.asf): true
    default: false
    }
  }
}
