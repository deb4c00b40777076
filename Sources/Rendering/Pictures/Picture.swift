/// A picture in memory: red, green, blue and alpha, 8 bits each, in sRGB encoding, not premultiplied.
public struct Picture: Equatable, Sendable {
  /// Pixels across.
  public let width: Int
  /// Pixels down.
  public let height: Int
  /// Row by row from the top, four bytes per pixel.
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
  /// The largest width or height in pixels that is read.
  public static let most = 8192
  /// The most pixels of a picture, and of all pictures of a graph together: one of 8192 × 4096, or 128 of 512 × 512.
  /// A pixel takes up to 26 bytes once it is ready to be drawn.
  public static let mostInAll = 1 << 25
}
