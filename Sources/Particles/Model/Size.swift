/// A width and a height, in points.
public struct Size: Hashable, Sendable {
  /// Points across.
  public var width: Double
  /// Points down.
  public var height: Double

  /// Makes a size; nothing unless told.
  public init(width: Double = 0, height: Double = 0) {
    self.width = width
    self.height = height
  }
}
