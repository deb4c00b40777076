/// A picture in memory: red, green, blue and alpha, 8 bits each as sRGB writes them, not premultiplied by alpha.
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

extension Picture {
  /// The most pixels across or down that are read.
  public static let most = 8192
  /// The most pixels of a picture in all, which is also the most of all pictures of a graph: one of 8192 × 4096, or 128
  /// of 512 × 512. Ready to be drawn a pixel takes up to 26 bytes.
  public static let mostInAll = 1 << 25
}
