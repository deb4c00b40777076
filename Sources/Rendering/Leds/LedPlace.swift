/// The part of a picture that a LED shows: a rectangle, in the points of a stage or in pixels.
public struct LedPlace: Equatable, Sendable {
  /// The middle.
  public var x: Double
  /// The middle.
  public var y: Double
  /// How far it reaches across.
  public var width: Double
  /// How far it reaches down.
  public var height: Double

  /// States a place.
  public init(x: Double, y: Double, width: Double, height: Double) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }
}
