/// The loudness tags of a file: ReplayGain 2.0, and R 128 in Opus (RFC 7845, 5.2.1). [any]
public struct LoudnessTags: Equatable, Sendable {
  /// Gains in dB that bring the track or the album to −18 LUFS.
  var (trackGain, albumGain): (Double?, Double?)
  /// Peak magnitudes; 1 is full scale.
  var (trackPeak, albumPeak): (Double?, Double?)

  /// Makes empty tags.
  public init() {}

  /// Reads the tags by `tag`, which ignores case.
  init(_ tag: (String) -> String?) {
    trackGain = LoudnessTags.gain(tag("REPLAYGAIN_TRACK_GAIN")) ?? LoudnessTags.steps(tag("R128_TRACK_GAIN"))
    albumGain = LoudnessTags.gain(tag("REPLAYGAIN_ALBUM_GAIN")) ?? LoudnessTags.steps(tag("R128_ALBUM_GAIN"))
    trackPeak = LoudnessTags.peak(tag("REPLAYGAIN_TRACK_PEAK"))
    albumPeak = LoudnessTags.peak(tag("REPLAYGAIN_ALBUM_PEAK"))
  }

  /// Parses a gain such as `-6.00 dB`; nil for other text, and outside of −60…40 dB.
  private static func gain(_ text: String?) -> Double? {
    let number = text?.drop { $0 == " " || $0 == "+" }.prefix { $0 != " " && $0 != "d" }
    return number.flatMap { Double($0) }.flatMap { (-60...40).contains($0) ? $0 : nil }
  }

  /// Parses an R 128 gain, in 1/256 dB to −23 LUFS, and adds 5 dB for ReplayGain's −18 LUFS; nil outside of −60…40 dB
  /// to −23 LUFS.
  private static func steps(_ text: String?) -> Double? {
    text.flatMap { Int($0) }.flatMap { (-15_360...10_240).contains($0) ? Double($0) / 256 + 5 : nil }
  }

  /// Parses a peak; nil outside of 0.0001…100 (−80…40 dBFS), such as the 0 of a silent track.
  private static func peak(_ text: String?) -> Double? {
    text.flatMap { Double($0) }.flatMap { (1e-4...100).contains($0) ? $0 : nil }
  }
}
