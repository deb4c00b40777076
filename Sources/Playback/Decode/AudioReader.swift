/// An audio file being decoded: what every decoder offers, whatever library is behind it.
///
/// [one] Reading past the end gives 0 samples until `rewind`.
public protocol AudioReader: SampleSource {
  /// The file, as it was given.
  var path: String { get }

  /// What the file says of itself.
  var format: AudioFormat { get }

  /// Samples that were not finite and became 0, in all channels since the file was opened.
  var nonFinite: Int { get }

  /// Where it could not be decoded and went on after it, since it was opened; `fault` is for what ended it.
  var breaks: DecodeBreaks { get }

  /// What the file says of its music. Read when first asked for.
  var tags: AudioTags { get }

  /// The picture of the album; nil where there is none, or none of a bounded size.
  func cover() -> CoverPicture?

  /// The sample that is read next, from 0.
  var position: Int64 { get }

  /// Goes back to the first sample and forgets `fault`.
  ///
  /// - Throws: `AudioError` with the code `.rewind`.
  func rewind() throws(AudioError)

  /// Goes to a sample, exactly, and forgets `fault`: what is read next is what reading from the start would give there.
  ///
  /// - Parameter frame: from 0; beyond the end is the end.
  /// - Throws: `AudioError` with the code `.rewind`.
  func seek(to frame: Int64) throws(AudioError)

  /// Opens the same file anew, from its first sample.
  ///
  /// - Throws: `AudioError`, as opening it the first time would.
  func reopened() throws(AudioError) -> any AudioReader
}

extension AudioReader {
  /// None.
  public var breaks: DecodeBreaks { DecodeBreaks() }

  /// Channels, as the format has them.
  public var channels: Int { format.channels }
}

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

/// Something that gives samples one after the other: a file, a file played in a loop, a resampler behind it.
///
/// [one] A source is pulled: the last stage asks the one before it.
public protocol SampleSource: AnyObject {
  /// Channels, at least 1; never changes.
  var channels: Int { get }

  /// Why the sound ended before its time, nil as long as it did not.
  var fault: AudioError? { get }

  /// Gives the next samples, all of them finite.
  ///
  /// - Parameters:
  ///   - count: samples per channel that are wanted, at least 1.
  ///   - destination: room for them, with the source's channels.
  /// - Returns: samples per channel given; fewer than `count` only at the end, and then 0 ever after.
  func read(_ count: Int, into destination: PlanarSamples) -> Int
}
