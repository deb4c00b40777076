/// A picture in memory: red, green, blue and alpha, 8 bits each as sRGB writes them, not multiplied with alpha.
public struct Picture: Equatable, Sendable {
  /// Pixels across.
  public let width: Int
  /// Pixels down.
  public let height: Int
  /// Row by row from the top, four bytes a pixel.
  public var pixels: [UInt8]

  /// Makes a picture; `pixels` holds width × height × 4 bytes.
  public init(width: Int, height: Int, pixels: [UInt8]) {
    precondition(pixels.count == width * height * 4)
    self.width = width
    self.height = height
    self.pixels = pixels
  }
}
