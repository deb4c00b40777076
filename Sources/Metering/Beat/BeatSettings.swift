/// The range of tempi to look for. [any]
public struct BeatSettings: Sendable, Equatable {
  /// The slowest tempo, in beats a minute; above 0 and at most `fastest`.
  public var slowest: Double
  /// The fastest tempo, in beats a minute.
  public var fastest: Double
  /// The expected tempo, in beats a minute; nil if none is expected.
  public var hint: Double?
  /// How long beats go on at the last tempo after the music has stopped, in seconds, at least 0.
  public var patience: Double

  /// Makes settings for a range of tempi, in beats a minute, and `patience` in seconds. They are not checked.
  public init(slowest: Double, fastest: Double, hint: Double? = nil, patience: Double = 8) {
    (self.slowest, self.fastest, self.hint, self.patience) = (slowest, fastest, hint, patience)
  }
}
