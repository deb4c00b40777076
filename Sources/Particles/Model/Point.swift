/// A place on the stage, in points; x grows to the right, y grows downwards.
public struct Point: Hashable, Sendable {
  /// Points from the left.
  public var x: Double
  /// Points from the top.
  public var y: Double

  /// Makes a place; the top left corner unless told.
  public init(x: Double = 0, y: Double = 0) {
    self.x = x
    self.y = y
  }
}
