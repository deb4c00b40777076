/// What a file says of its loudness: the tags of ReplayGain 2.0, and of R 128 in Opus (RFC 7845, 5.2.1). [any]
public struct LoudnessTags: Equatable, Sendable {
  /// In dB, what brings the track and the album to the common loudness.
  var (trackGain, albumGain): (Double?, Double?)
  /// The largest samples, 1 is full scale.
  var (trackPeak, albumPeak): (Double?, Double?)

  /// A file that says nothing.
  public init() {}

  /// Reads the tags of a file by their names, in any letters.
  init(_ tag: (String) -> String?) {
    trackGain = LoudnessTags.gain(tag("REPLAYGAIN_TRACK_GAIN")) ?? LoudnessTags.steps(tag("R128_TRACK_GAIN"))
    albumGain = LoudnessTags.gain(tag("REPLAYGAIN_ALBUM_GAIN")) ?? LoudnessTags.steps(tag("R128_ALBUM_GAIN"))
    trackPeak = LoudnessTags.peak(tag("REPLAYGAIN_TRACK_PEAK"))
    albumPeak = LoudnessTags.peak(tag("REPLAYGAIN_ALBUM_PEAK"))
  }

  /// `-6.00 dB`; nil for other text, and outside of -60 to 40 dB.
  private static func gain(_ text: String?) -> Double? {
    let number = text?.drop { $0 == " " || $0 == "+" }.prefix { $0 != " " && $0 != "d" }
    return number.flatMap { Double($0) }.flatMap { (-60...40).contains($0) ? $0 : nil }
  }

  /// 256ths of a dB to -23 LUFS, where ReplayGain goes to -18.
  private static func steps(_ text: String?) -> Double? {
    text.flatMap { Int($0) }.flatMap { (-15_360...10_240).contains($0) ? Double($0) / 256 + 5 : nil }
  }

  private static func peak(_ text: String?) -> Double? {
    text.flatMap { Double($0) }.flatMap { (1e-4...100).contains($0) ? $0 : nil }
  }
}
