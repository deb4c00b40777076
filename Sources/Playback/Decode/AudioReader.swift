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
