/// The time of a cell within the time of its layer: what CAMediaTiming holds, with Apple's defaults.
public struct Timing: Hashable, Sendable {
  /// Seconds of the layer's time at which it begins.
  public var beginTime = 0.0
  /// Seconds; infinite unless given.
  public var duration = Double.infinity
  /// How fast its time runs; 1 is as fast as the layer's.
  public var speed = 1.0
  /// Seconds of its own time at which it begins.
  public var timeOffset = 0.0
  /// How often it repeats.
  public var repeatCount = 0.0
  /// Whether it runs backwards after each run forwards.
  public var autoreverses = false
  /// What holds before its beginning and after its end.
  public var fillMode = FillMode.removed

  /// Apple's defaults.
  public init() {}
}
