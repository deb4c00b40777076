/// Channel names, from the numbers of decoders. [any]
enum SpeakerNames {
  /// Loudspeaker positions in the order of WAVE's channel mask and FFmpeg's AVChannel, from bit 0.
  private static let wave = [
    "Left", "Right", "Centre", "LFE", "Rear left", "Rear right", "Left of centre", "Right of centre",
    "Rear centre", "Left surround", "Right surround", "Top centre", "Top front left", "Top front centre",
    "Top front right", "Top rear left", "Top rear centre", "Top rear right", "", "", "", "", "", "", "", "",
    "", "", "", "Downmix left", "Downmix right", "Wide left", "Wide right", "Surround direct left",
    "Surround direct right", "LFE 2", "Top side left", "Top side right", "Bottom front centre",
    "Bottom front left", "Bottom front right",
  ]

  /// Loudspeaker positions in the order of libsndfile, from `SF_CHANNEL_MAP_INVALID`.
  private static let sndfile = [
    "", "Mono", "Left", "Right", "Centre", "Left", "Right", "Centre", "Rear centre", "Rear left",
    "Rear right",
    "LFE", "Left of centre", "Right of centre", "Left surround", "Right surround", "Top centre",
    "Top front left", "Top front right", "Top front centre", "Top rear left", "Top rear right",
    "Top rear centre", "W", "X", "Y", "Z",
  ]

  /// FLAC's channel order by number of channels (RFC 9639, 9.1.3).
  private static let flac: [Int: [Int]] = [
    3: [0, 1, 2], 4: [0, 1, 4, 5], 5: [0, 1, 2, 4, 5], 6: [0, 1, 2, 3, 4, 5], 7: [0, 1, 2, 3, 8, 9, 10],
    8: [0, 1, 2, 3, 4, 5, 9, 10],
  ]
  /// The channel order of Vorbis and Opus by number of channels (Vorbis I, 4.3.9).
  private static let vorbis: [Int: [Int]] = [
    3: [0, 2, 1], 4: [0, 1, 4, 5], 5: [0, 2, 1, 4, 5], 6: [0, 2, 1, 4, 5, 3], 7: [0, 2, 1, 9, 10, 8, 3],
    8: [0, 2, 1, 9, 10, 4, 5, 3],
  ]

  /// Names by FFmpeg's numbers; empty if one has no name.
  static func names(ffmpeg numbers: [Int]) -> [String] { names(numbers, in: wave) }

  /// Names by libsndfile's numbers; empty if one has no name.
  static func names(sndfile numbers: [Int]) -> [String] { names(numbers, in: sndfile) }

  /// Names in FLAC's channel order.
  static func names(flac channels: Int) -> [String] { flac[channels].map { names(ffmpeg: $0) } ?? [] }

  /// Names in the channel order of Vorbis and Opus.
  static func names(vorbis channels: Int) -> [String] { vorbis[channels].map { names(ffmpeg: $0) } ?? [] }

  /// No name for a single channel; `Left` and `Right` for two without names.
  static func completed(_ names: [String], channels: Int) -> [String] {
    if channels == 1 { return [] }
    if names.count == channels { return names }
    return channels == 2 ? ["Left", "Right"] : []
  }

  private static func names(_ numbers: [Int], in words: [String]) -> [String] {
    let names = numbers.map { words.indices.contains($0) ? words[$0] : "" }
    return names.contains("") ? [] : names
  }
}
