/// A part of a picture, in parts of its width and height; the whole picture unless told.
public struct UnitRect: Hashable, Sendable {
  /// Left edge, 0…1.
  public var x: Double
  /// Top edge, 0…1.
  public var y: Double
  /// Width, 0…1.
  public var width: Double
  /// Height, 0…1.
  public var height: Double

  /// Makes a part of a picture.
  public init(x: Double = 0, y: Double = 0, width: Double = 1, height: Double = 1) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}
