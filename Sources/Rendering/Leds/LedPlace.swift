/// The rectangle of a picture that an LED shows, in points of a stage or in pixels.
public struct LedPlace: Equatable, Sendable {
  /// The center, measured from the left.
  public var x: Double
  /// The center, measured from the top.
  public var y: Double
  /// The full width.
  public var width: Double
  /// The full height.
  public var height: Double

  /// Makes a place.
  public init(x: Double, y: Double, width: Double, height: Double) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }
}
