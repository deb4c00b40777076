/// The range of tempi to look for. [any]
public struct BeatSettings: Sendable, Equatable {
  /// The slowest tempo, in beats a minute.
  public var slowest: Double
  /// The fastest tempo, in beats a minute.
  public var fastest: Double
  /// The expected tempo, in beats a minute; nil if none is expected.
  public var hint: Double?
  /// How long the beat grid goes on without music, in seconds.
  public var patience: Double
  /// Makes settings for a range of tempi, in beats a minute, and `patience` in seconds.
  public init(slowest: Double, fastest: Double, hint: Double? = nil, patience: Double = 8) {
    (self.slowest, self.fastest, self.hint, self.patience) = (slowest, fastest, hint, patience)
  }
}
