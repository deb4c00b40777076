/// The format of an audio file.
public struct AudioFormat: Equatable, Sendable {
  /// Channels that can be played.
  public static let channelRange = 1...1024
  /// Sample rates that can be played, in Hz.
  public static let rateRange = 1000...768_000
  /// The limit of lengths and places that a file may state, in samples per channel: 185 years at 48 kHz. Sums of such
  /// numbers fit into 64 bits.
  static let mostSamples: Int64 = 1 << 48

  /// Number of channels, 1…1024.
  public let channels: Int
  /// Sample rate in Hz.
  public let rate: Int
  /// Samples per channel, which libraries of audio call frames; nil if the file does not say (a streamed FLAC).
  ///
  /// The file may be wrong: reading decides where it ends.
  public let frames: Int64?
  /// Whether `frames` is exact, so that fewer samples are a fault; for an MP3 it is often an estimate.
  public let framesAreExact: Bool
  /// Container and codec in words, such as `WAV (Microsoft), Signed 16 bit PCM`.
  public let description: String
  /// Channel names, such as `Left`: one for each channel, or none at all.
  public let channelNames: [String]
  /// Short name of the codec, such as `aac`, `flac`, `pcm_s16`; empty if unknown.
  public let codec: String
  /// Mean bit rate of the file in bits per second, if known.
  public let bitRate: Int?
  /// The fault of a file that can be played nevertheless: it is shorter than its header states.
  public let warning: AudioError?

  /// Makes a format.
  public init(
    channels: Int, rate: Int, frames: Int64?, framesAreExact: Bool = true, description: String,
    channelNames: [String] = [], codec: String = "", bitRate: Int? = nil, warning: AudioError? = nil
  ) {
    self.channels = channels
    self.rate = rate
    self.frames = frames
    self.framesAreExact = framesAreExact
    self.description = description
    self.channelNames = channelNames
    self.codec = codec
    self.bitRate = bitRate
    self.warning = warning
  }

  /// Duration in seconds, if the file states it.
  public var duration: Double? { frames.map { Double($0) / Double(rate) } }
}
