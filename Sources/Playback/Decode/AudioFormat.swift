/// What an audio file says of itself.
public struct AudioFormat: Equatable, Sendable {
  /// Channels that can be played.
  public static let channelRange = 1...1024
  /// Sample rates that can be played, in Hz.
  public static let rateRange = 1000...768_000
  /// Samples per channel beyond which no file's word on its length or on a place is believed: 185 years at 48 kHz. Sums
  /// of such numbers still fit into 64 bits.
  static let mostFrames: Int64 = 1 << 48

  /// Channels, 1 … 1024.
  public let channels: Int
  /// Samples a second of each channel, in Hz.
  public let rate: Int
  /// Samples per channel, nil where the file does not say (a streamed FLAC).
  ///
  /// A statement, not a promise: what counts is where reading ends.
  public let frames: Int64?
  /// Whether `frames` may be held against the file: an MP3's is often a guess.
  public let framesAreExact: Bool
  /// Container and coding in words, such as `WAV (Microsoft), Signed 16 bit PCM`.
  public let description: String
  /// The names of its channels, such as `Left`; empty where the file says nothing of them.
  public let channelNames: [String]
  /// The coding in a word, such as `aac`, `flac`, `pcm_s16`; empty where unknown.
  public let codec: String
  /// Bits a second of the whole file; nil where unknown.
  public let bitRate: Int?
  /// What is wrong with a file that can be played all the same: it is shorter than its header says.
  public let warning: AudioError?

  /// States a format.
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

  /// How long the file says it plays, in seconds; nil where it does not say.
  public var duration: Double? { frames.map { Double($0) / Double(rate) } }
}
