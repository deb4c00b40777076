/// Something that gives samples one after the other: a file, a file played in a loop, a resampler behind it.
///
/// [one] A source is pulled: the last stage asks the one before it.
public protocol SampleSource: AnyObject {
  /// Channels, at least 1; never changes.
  var channels: Int { get }

  /// Why the sound ended before its time, nil as long as it did not.
  var fault: AudioFault? { get }

  /// Gives the next samples, all of them finite.
  ///
  /// - Parameters:
  ///   - count: samples per channel that are wanted, at least 1.
  ///   - destination: room for them, with the source's channels.
  /// - Returns: samples per channel given; fewer than `count` only at the end, and then 0 ever after.
  func read(_ count: Int, into destination: PlanarSamples) -> Int
}
