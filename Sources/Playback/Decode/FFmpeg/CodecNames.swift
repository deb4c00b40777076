/// Codings in words. [any]
enum CodecNames {
  /// In a word, from FFmpeg's name.
  static func short(_ codec: String, isHigh: Bool) -> String {
    switch codec {
    case "aac": isHigh ? "he-aac" : "aac"
    case "adpcm_ima_qt": "ima4"
    case "pcm_mulaw": "ulaw"
    case "pcm_alaw": "alaw"
    case _ where codec.hasPrefix("pcm_"):
      codec.hasSuffix("le") || codec.hasSuffix("be") ? String(codec.dropLast(2)) : codec
    default: codec
    }
  }

  /// As people write them, from FFmpeg's name.
  static func long(_ codec: String, isHigh: Bool) -> String {
    switch codec {
    case "aac": isHigh ? "HE-AAC" : "AAC"
    case "alac": "Apple Lossless"
    case "adpcm_ima_qt": "IMA4"
    case "ilbc": "iLBC"
    case "opus": "Opus"
    case "vorbis": "Vorbis"
    case "flac", "mp3": codec.uppercased()
    default: short(codec, isHigh: isHigh)
    }
  }
}

extension AudioFormat {
  /// Bits per second of a whole file; nil where its length is not known.
  static func bitRate(bytes: Int64, frames: Int64?, rate: Int) -> Int? {
    guard let frames, frames > 0 else { return nil }
    let bits = Double(bytes) * 8 * Double(rate) / Double(frames)
    return bits < 1e12 ? Int(bits.rounded()) : nil
  }
}
