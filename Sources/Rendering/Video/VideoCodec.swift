/// The codec of a video's pictures.
public enum VideoCodec: String, Sendable, CaseIterable {
  case h264, hevc, av1, vp9, prores

  /// Its use, as the help prints it.
  public var help: String {
    switch self {
    case .h264: "plays everywhere"
    case .hevc: "smaller than h264, takes longer"
    case .av1: "smaller still"
    case .vp9: "plays in browsers, can be transparent"
    case .prores: "ProRes 4444, for editing, can be transparent"
    }
  }

  /// Whether it can store alpha.
  public var carriesAlpha: Bool { self == .vp9 || self == .prores }

  /// The library with which ffmpeg must have been built for it; nil if none.
  var library: String? {
    switch self {
    case .h264: "libx264"
    case .hevc: "libx265"
    case .av1: "libsvtav1"
    case .vp9: "libvpx"
    case .prores: nil
    }
  }

  /// ffmpeg's name of the pixel format that it encodes.
  func pixels(hasAlpha: Bool) -> String {
    switch self {
    case .h264, .hevc, .av1: "yuv420p"
    case .vp9: hasAlpha ? "yuva420p" : "yuv420p"
    case .prores: hasAlpha ? "yuva444p10le" : "yuv444p10le"
    }
  }

  /// The codec tag that Apple's players require for HEVC.
  var tag: [String] { self == .hevc ? ["-tag:v", "hvc1"] : [] }

  /// The options of ffmpeg for this codec. `isAnywhere`: the bytes are to be the same on any machine. Without it, they
  /// depend on the number of threads, which is that of the cores, and with some encoders on the processor's features.
  ///
  /// Measured with 720p sparks on one core: x264 takes 8 ms per picture at `superfast`, 12 at `veryfast`, 20 at
  /// `faster`. At equal quality, `veryfast` gives the smallest file of the three.
  func options(_ quality: VideoQuality, hasAlpha: Bool, isAnywhere: Bool = false) -> [String] {
    let threads = isAnywhere ? ["-threads", "4"] : []
    return threads + encoding(quality, hasAlpha: hasAlpha, isAnywhere: isAnywhere)
  }

  private func encoding(_ quality: VideoQuality, hasAlpha: Bool, isAnywhere: Bool) -> [String] {
    switch self {
    case .h264:
      let (preset, factor) = quality.among(
        ("veryfast", 26), ("veryfast", 19), ("medium", 16), ("slow", 12))
      return ["-c:v", "libx264", "-preset", preset, "-crf", "\(factor)"]
        + (isAnywhere ? ["-x264-params", "cpu-independent=1"] : [])
    case .hevc:
      let (preset, factor) = quality.among(
        ("veryfast", 29), ("veryfast", 22), ("medium", 18), ("slow", 14))
      return [
        "-c:v", "libx265", "-preset", preset, "-crf", "\(factor)", "-x265-params",
        "log-level=error" + (isAnywhere ? ":frame-threads=2:lookahead-slices=0" : ""),
      ] + tag
    case .av1:
      let (preset, factor) = quality.among((10, 42), (9, 32), (6, 24), (4, 18))
      return ["-c:v", "libsvtav1", "-preset", "\(preset)", "-crf", "\(factor)"]
    case .vp9:
      let (deadline, used, factor) = quality.among(
        ("realtime", 7, 34), ("realtime", 6, 24), ("good", 4, 18), ("good", 2, 10))
      return [
        "-c:v", "libvpx-vp9", "-crf", "\(factor)", "-b:v", "0", "-deadline", deadline, "-cpu-used", "\(used)",
        "-row-mt", "1", "-tile-columns", "2",
        // Alpha is a second stream, and invisible reference frames do not work with two.
      ] + (hasAlpha ? ["-auto-alt-ref", "0"] : [])
    case .prores:
      let strength = quality.among(["-qscale:v", "18"], [], ["-qscale:v", "4"], ["-qscale:v", "1"])
      return ["-c:v", "prores_ks", "-profile:v", quality == .best ? "4444xq" : "4444", "-vendor", "apl0"]
        + strength + (hasAlpha ? ["-alpha_bits", "16"] : [])
        // Each ProRes picture has color metadata of its own, which the encoder does not set.
        + ["-bsf:v", "prores_metadata=color_primaries=bt709:color_trc=bt709:colorspace=bt709"]
    }
  }
}

/// Quality, which costs size and encoding time.
public enum VideoQuality: String, Sendable, CaseIterable {
  case low, normal, high, best

  /// The value for this quality.
  func among<Value>(_ low: Value, _ normal: Value, _ high: Value, _ best: Value) -> Value {
    switch self {
    case .low: low
    case .normal: normal
    case .high: high
    case .best: best
    }
  }
}
