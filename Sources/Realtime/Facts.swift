/// What the audio callback may tell of itself: counters that only grow. Words are made of them on the control side.
public struct Facts: ~Copyable {
  /// Samples that were not finite and counted as 0.
  public let notFinite = Counter()
  /// Frames that were merged into a later record because the frame thread was late by two seconds.
  public let mergedFrames = Counter()
  /// Samples of silence that stood in for a file that the disk had not delivered in time.
  public let missingSamples = Counter()
  /// Levels into audio that were not there when their frame began.
  public let lateLevels = Counter()
  /// Samples of the longest cycle.
  public let longestCycle = Counter()
  /// Samples processed.
  public let samples = Counter()

  /// All zero.
  public init() {}
}
