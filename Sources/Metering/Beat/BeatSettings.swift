/// What beats are looked for. [any]
public struct BeatSettings: Sendable, Equatable {
  /// The slowest tempo, in beats a minute.
  public var slowest: Double
  /// The fastest tempo, in beats a minute.
  public var fastest: Double
  /// What is expected, in beats a minute; nil: nothing.
  public var hint: Double?
  /// How long the grid goes on without music, in seconds.
  public var patience: Double
  /// Makes settings.
  public init(slowest: Double, fastest: Double, hint: Double? = nil, patience: Double = 8) {
    (self.slowest, self.fastest, self.hint, self.patience) = (slowest, fastest, hint, patience)
  }
}
