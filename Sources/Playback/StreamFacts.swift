/// What has happened to a stream so far, as counts; a snapshot.
public struct StreamFacts: Equatable, Sendable {
  /// Samples per channel decoded, at the file's rate, in all plays.
  public var framesDecoded: Int64 = 0
  /// Plays decoded to their end.
  public var plays = 0
  /// Plays that ended before the file's header said, or by a read error.
  public var shortPlays = 0
  /// Samples in all channels that were not finite and became 0.
  public var nonFinite = 0
  /// Where the first play ends in the stream, in samples at the host's rate; nil until it is decoded.
  public var firstPlayEnd: Int64?
  /// Where the stream ends, in samples at the host's rate; nil until it is decoded.
  public var end: Int64?
  /// The latest thing that went wrong: why a play was short, or the file's own warning; nil if nothing did.
  public var fault: AudioFault?
  /// Why the stream as a whole ended before its time; nil as long as it did not.
  public var endedEarly: AudioFault?
  /// How often the audio callback wanted samples that were not there.
  public var underruns: Int64 = 0
  /// Samples per channel that were missing in all underruns.
  public var missingSamples: Int64 = 0

  /// Nothing has happened.
  public init() {}
}
