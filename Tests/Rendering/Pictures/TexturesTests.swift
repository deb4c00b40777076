import Particles
import TestSupport
import Testing

@testable import Rendering

@Suite struct TexturesTests {
  @Test func `every mipmap level is the premultiplied mean of the one before`() {
    let picture = Drawing.picture(13, 6) { x, y in [UInt8(x * 19), 100, UInt8(y * 40), UInt8(255 - x * 9)] }
    let texture = Texture(picture, PixelRect(x: 0, y: 0, width: 13, height: 6))
    #expect(
      texture.mipLevels.map(\.columns) == [13, 7, 4, 2, 1]
        && texture.mipLevels.map(\.rows) == [6, 3, 2, 1, 1])
    var mean = [Float](repeating: 0, count: 4)
    for i in 0..<13 * 6 {
      let alpha = Float(picture.pixels[4 * i + 3]) / 255
      for k in 0..<3 { mean[k] += Float(picture.pixels[4 * i + k]) / 255 * alpha / 78 }
      mean[3] += alpha / 78
    }
    for k in 0..<4 { #expect(abs(texture.texels[texture.mipLevels[4].start + k] - mean[k]) < 1e-5) }
  }

  @Test func `a part of a picture never shows its neighbors, at any size and angle`() throws {
    // A green field in an atlas of red.
    let atlas = Drawing.picture(48, 48) { x, y in
      (16..<32).contains(x) && (16..<32).contains(y) ? [0, 255, 0, 255] : [255, 0, 0, 255]
    }
    let file = try TextureFile(atlas)
    for filter in ContentsFilter.allCases {
      let material = file.material {
        $0.rect = UnitRect(x: 1.0 / 3, y: 1.0 / 3, width: 1.0 / 3, height: 1.0 / 3)
        ($0.minification, $0.magnification) = (filter, filter)
      }
      let canvas = Drawing.canvas(64, 64, textures: file.textures)
      for scale: Float in [0.05, 0.2, 0.45, 0.9, 1, 1.8, 3.7] {
        for angle: Float in [0, 0.4] {
          let drawn = Drawing.picture(
            canvas, [Sprite(x: 32.2, y: 31.7, scale: scale, angle: angle)], material)
          #expect(Drawing.sum(drawn, 0) == 0 && Drawing.sum(drawn, 1) > 0)
        }
      }
    }
  }

  @Test func `a rectangle that moves through many places keeps showing its part`() throws {
    let file = try TextureFile(
      Drawing.picture(64, 16) { x, _ in x < 32 ? [255, 0, 0, 255] : [0, 0, 255, 255] })
    let canvas = Drawing.canvas(16, 16, textures: file.textures)
    for step in 0..<1000 {
      let x = Double(step % 480) / 1000
      let material = file.material {
        $0.rect = UnitRect(x: x, y: Double(step) / 4000, width: 0.02, height: 0.5)
      }
      let drawn = Drawing.picture(canvas, [Sprite(x: 8, y: 8, scale: 0.5)], material)
      #expect(Drawing.sum(drawn, 2) == 0 && Drawing.sum(drawn, 0) > 0, "\(step)")
    }
  }

  @Test func `pixels a point and the part determine the size`() throws {
    let file = try TextureFile(Drawing.flat(32, 16, [255, 255, 255, 255]))
    let canvas = Drawing.canvas(64, 64, textures: file.textures)
    let material = file.material {
      $0.contentsScale = 2
      $0.rect = UnitRect(x: 0, y: 0, width: 0.5, height: 1)
    }
    // 16 × 16 pixels, two a point, three times as large: 24 points.
    let drawn = Drawing.picture(canvas, [Sprite(x: 32, y: 32, scale: 3)], material)
    for i in 0..<64 {
      #expect(drawn.pixel(i, 32)[0] == ((20..<44).contains(i) ? 255 : 0))
      #expect(drawn.pixel(32, i)[0] == ((20..<44).contains(i) ? 255 : 0))
    }
  }

  @Test func `a file that cannot be read is named, all others exist, and the built-in picture is drawn`()
    throws
  {
    let folder = try TemporaryFolder()
    let good = folder.file("good.png")
    try Drawing.flat(8, 8, [0, 255, 0, 255]).write(path: good, replacing: false)
    let missing = folder.file("missing.png")
    let textures = Textures()
    let materials = [missing, good].map { SpriteMaterial(contents: .file($0)) }
    #expect(throws: PictureError.missing(missing)) { try textures.read(materials) }
    let canvas = Drawing.canvas(40, 40, textures: textures)
    let sprite = Sprite(x: 20, y: 20)
    #expect(Drawing.picture(canvas, [sprite], materials[1]).pixel(20, 20) == [0, 255, 0, 255])
    #expect(Drawing.picture(canvas, [sprite], materials[0]) == Drawing.picture(canvas, [sprite]))
    // Once the file exists it is read.
    try Drawing.flat(8, 8, [0, 0, 255, 255]).write(path: missing, replacing: false)
    try textures.read(materials)
    #expect(Drawing.picture(canvas, [sprite], materials[0]).pixel(20, 20) == [0, 0, 255, 255])
  }

  @Test func `a fine pattern drawn small becomes its mean, unless the nearest pixel is selected`()
    throws
  {
    let checks = Drawing.picture(64, 64) { x, y in (x + y) % 2 == 0 ? [255, 255, 255, 255] : [0, 0, 0, 255] }
    let file = try TextureFile(checks)
    let canvas = Drawing.canvas(32, 32, textures: file.textures)
    let sprite = [Sprite(x: 16.3, y: 16.1, scale: 0.25, angle: 0.3)]
    for filter in [ContentsFilter.linear, .trilinear] {
      let drawn = Drawing.picture(canvas, sprite, file.material { $0.minification = filter })
      for i in 12..<20 { #expect(abs(Int(drawn.pixel(i, 16)[0]) - 128) <= 1) }
    }
    let hard = Drawing.picture(canvas, sprite, file.material { $0.minification = .nearest })
    for i in 12..<20 { #expect([0, 255].contains(hard.pixel(i, 16)[0])) }
    // The bias selects a smaller level for a picture drawn at its own size.
    let soft = file.material {
      $0.minificationBias = 3
      $0.magnification = .linear
    }
    #expect(abs(Int(Drawing.picture(canvas, [Sprite(x: 16, y: 16)], soft).pixel(9, 9)[0]) - 128) <= 1)
  }
}
