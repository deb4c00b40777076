/// The interface of all audio decoders: an open file. [one]
///
/// Reading past the end gives 0 samples until `rewind` or `seek`.
public protocol AudioReader: SampleSource {
  /// The path, as it was given.
  var path: String { get }

  /// The format of the file.
  var format: AudioFormat { get }

  /// Samples since opening, over all channels, that were not finite and became 0.
  var nonFinite: Int { get }

  /// Places since opening at which decoding failed and went on; `fault` is for what ended it.
  var breaks: DecodeBreaks { get }

  /// The tags of the file; read when first needed.
  var tags: AudioTags { get }

  /// The cover picture; nil if there is none of at most `CoverPicture.most` bytes.
  func cover() -> CoverPicture?

  /// The sample that is read next, from 0.
  var position: Int64 { get }

  /// Seeks to the first sample and clears `fault`.
  ///
  /// - Throws: `AudioError` with the code `.rewind`.
  func rewind() throws(AudioError)

  /// Seeks exactly to a sample and clears `fault`: the next samples are those that reading from the start would give
  /// there.
  ///
  /// - Parameter frame: sample per channel, from 0; clamped to the end.
  /// - Throws: `AudioError` with the code `.rewind`.
  func seek(to frame: Int64) throws(AudioError)

  /// Opens the same file again, at its first sample.
  ///
  /// - Throws: `AudioError`, as the first opening does.
  func reopened() throws(AudioError) -> any AudioReader
}

extension AudioReader {
  /// No faults: the default of decoders that never go on after one.
  public var breaks: DecodeBreaks { DecodeBreaks() }

  /// Number of channels of the format.
  public var channels: Int { format.channels }
}

/// A pull source of samples: a file, a file played in a loop, a resampler. [one]
///
/// Each stage of a chain reads from the one before it.
public protocol SampleSource: AnyObject {
  /// Number of channels, at least 1; constant.
  var channels: Int { get }

  /// Why the sound ended early; nil while it has not.
  var fault: AudioError? { get }

  /// Reads the next samples, all of them finite.
  ///
  /// - Parameters:
  ///   - count: wanted samples per channel, at least 1.
  ///   - destination: memory for them, with the source's channels.
  /// - Returns: samples per channel that were read; fewer than `count` only at the end, then always 0.
  func read(_ count: Int, into destination: PlanarSamples) -> Int
}
