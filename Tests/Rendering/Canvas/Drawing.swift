import Particles

@testable import Rendering

/// Helpers that draw for the tests of this folder.
enum Drawing {
  static let black = Color(red: 0, green: 0, blue: 0)
  static let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)

  /// A canvas with one pixel a point.
  static func canvas(
    _ width: Int, _ height: Int, textures: Textures = Textures(), toneMapping: ToneMapping = .clip,
    threads: Int = 1,
    tile: Int = 128
  ) -> Canvas {
    Canvas(
      width: width, height: height, stage: Size(width: Double(width), height: Double(height)),
      textures: textures, toneMapping: toneMapping, threads: threads, tileSide: tile)
  }

  /// Draws one layer. Returns the picture.
  static func picture(
    _ canvas: Canvas, _ sprites: [Sprite], _ material: SpriteMaterial = SpriteMaterial(),
    _ mode: RenderMode = .unordered,
    background: Color = black, backdrop: Picture? = nil
  ) -> Picture {
    canvas.begin(background: background, picture: backdrop)
    canvas.draw(sprites, materials: [material], mode: mode)
    return canvas.end { Picture(width: canvas.width, height: canvas.height, pixels: Array($0)) }
  }

  /// A picture by a function of its pixels.
  static func picture(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> [UInt8]) -> Picture {
    Picture(
      width: width, height: height,
      pixels: (0..<height).flatMap { y in (0..<width).flatMap { x in pixel(x, y) } })
  }

  /// A picture of one color.
  static func flat(_ width: Int, _ height: Int, _ pixel: [UInt8]) -> Picture {
    picture(width, height) { _, _ in pixel }
  }

  /// Noise with opaque pixels.
  static func noise(_ width: Int, _ height: Int) -> Picture {
    picture(width, height) { x, y in
      [UInt8((x * 37 + y * 101) % 256), UInt8((x * 53 + y * 29) % 256), UInt8((x * 11 + y * 71) % 256), 255]
    }
  }

  /// The sum of all bytes of a color component, 0 red to 3 alpha.
  static func sum(_ picture: Picture, _ color: Int = 0) -> Int {
    stride(from: color, to: picture.pixels.count, by: 4).reduce(0) { $0 + Int(picture.pixels[$1]) }
  }
}

extension Picture {
  /// Red, green, blue and alpha of a pixel.
  func pixel(_ x: Int, _ y: Int) -> [UInt8] { Array(pixels[(y * width + x) * 4..<(y * width + x) * 4 + 4]) }
}
