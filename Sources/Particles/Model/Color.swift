/// Red, green, blue and alpha, each 0…1 as sRGB writes them; opaque white unless told.
public struct Color: Hashable, Sendable {
  /// 0…1.
  public var red: Double
  /// 0…1.
  public var green: Double
  /// 0…1.
  public var blue: Double
  /// 0 is clear, 1 is solid.
  public var alpha: Double

  /// Makes a colour.
  public init(red: Double = 1, green: Double = 1, blue: Double = 1, alpha: Double = 1) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }
}
