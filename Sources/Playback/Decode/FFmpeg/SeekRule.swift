/// How a place in a file is reached, so that what is heard there is what decoding from the beginning gives. [any]
struct SeekRule: Equatable {
  /// Samples that are decoded before the place, until the decoder is in tune.
  let preroll: Int64
  /// Whether it is then in tune to the last bit.
  let isExact: Bool
  /// Whether the container has an index that leads to packets whose place is known.
  let hasIndex: Bool

  /// Decoded samples of all channels up to which the whole way is decoded where only that is exact: about a second.
  static let farthest: Int64 = 20_000_000

  /// The rule of a coding in a container.
  init(codec: String, isHigh: Bool, route: DecoderChoice) {
    switch route {
    case .frames, .ogg, .ffmpeg(.movie), .ffmpeg(.caf), .ffmpeg(.wavpack), .ffmpeg(.tta): hasIndex = true
    case .ffmpeg(.wave), .ffmpeg(.w64), .ffmpeg(.au), .ffmpeg(.aiff): hasIndex = codec.hasPrefix("pcm_")
    default: hasIndex = false
    }
    switch codec {
    // The place is known from the end of a page on.
    case _ where route == .ogg: (preroll, isExact) = (48_000, codec != "speex")
    // A band replicated and a voice filled with noise remember more than any preroll holds.
    case "aac": (preroll, isExact) = isHigh ? (96_000, false) : (4096, true)
    case "alac", "flac", "wavpack", "tta": (preroll, isExact) = (4096, true)
    case "mp1", "mp2", "mp3": (preroll, isExact) = (16_128, true)
    case "opus", "vorbis": (preroll, isExact) = (24_000, false)
    case "adpcm_ima_qt": (preroll, isExact) = (48_000, false)
    case _ where codec.hasPrefix("pcm_"): (preroll, isExact) = (4096, true)
    default: (preroll, isExact) = (16_000, false)
    }
  }

  /// Samples per channel from which on the index is used; nil where it never is.
  func far(channels: Int64) -> Int64? {
    hasIndex ? isExact ? 2 * preroll : SeekRule.farthest / channels : nil
  }
}

extension DecoderChoice {
  /// Whether FFmpeg leaves out itself what is not to be heard, as the container's rules are plain.
  var trimsItself: Bool {
    switch self {
    case .ffmpeg(.matroska), .ffmpeg(.wave), .ffmpeg(.asf): true
    default: false
    }
  }
}
