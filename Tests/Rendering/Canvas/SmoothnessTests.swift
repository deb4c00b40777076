import Particles
import Testing

@testable import Rendering

/// No jump, no seam and no flicker.
@Suite struct SmoothnessTests {
  @Test func `a large flat sprite is flat across all tiles, at any angle`() throws {
    let file = try TextureFile(Drawing.flat(16, 16, [120, 60, 30, 255]))
    for angle: Float in [0, 0.3, .pi / 4, 2] {
      for filter in ContentsFilter.allCases {
        let material = file.material { $0.magnification = filter }
        let canvas = Drawing.canvas(300, 200, textures: file.textures, tile: 32)
        let drawn = Drawing.picture(canvas, [Sprite(x: 150, y: 100, scale: 60, angle: angle)], material)
        #expect(drawn == Drawing.flat(300, 200, [120, 60, 30, 255]))
      }
    }
  }

  @Test func `a sprite that leaves the picture fades out gradually`() throws {
    let square = try TextureFile(Drawing.flat(16, 16, [255, 255, 255, 255]))
    let light = SpriteMaterial()
    for (material, angle) in [(light, Float(0)), (square.material(), 0), (square.material(), 0.5)] {
      let canvas = Drawing.canvas(64, 64, textures: square.textures, tile: 32)
      var before: Int?
      for step in 0..<700 {
        let sprite = Sprite(x: 32 + Float(step) * 0.1, y: 32, angle: angle, alpha: 0.5)
        let sum = Drawing.sum(Drawing.picture(canvas, [sprite], material, .additive))
        // At most a tenth of a column of 23 pixels, and rounding.
        if let before { #expect(sum - before <= 60 && before - sum <= 128 * 24 / 10 + 60, "\(step)") }
        before = sum
      }
      #expect(before == 0)
    }
  }

  @Test func `a sprite has the same brightness at any subpixel position`() throws {
    let square = try TextureFile(Drawing.flat(16, 16, [255, 255, 255, 255]))
    for scale: Float in [0.02, 0.05, 0.1, 0.3, 1] {
      for material in [SpriteMaterial(), square.material()] {
        let canvas = Drawing.canvas(64, 64, textures: square.textures)
        // Forty sprites over each other, none so bright that it is clipped, so that the rounding to bytes does not hide
        // a faint one.
        let covered = min(1, 256 * scale * scale / (material.contents == .soft ? 3.24 : 1))
        let sums = (0..<40).map { step in
          let sprite = Sprite(
            x: 32 + Float(step) * 0.13, y: 32 + Float(step) * 0.07, scale: scale,
            alpha: min(1, 0.02 / covered))
          return Drawing.sum(
            Drawing.picture(canvas, [Sprite](repeating: sprite, count: 40), material, .additive))
        }
        let (least, most) = (sums.min()!, sums.max()!)
        #expect(Double(most - least) <= Double(most) * 0.06 + 8, "\(scale) \(material.contents) \(sums)")
      }
    }
  }

  @Test func `a growing sprite gets brighter at every step`() throws {
    let square = try TextureFile(Drawing.noise(64, 64))
    for material in [SpriteMaterial(), square.material(), square.material { $0.minification = .trilinear }] {
      let canvas = Drawing.canvas(160, 160, textures: square.textures)
      var before = 0
      for step in 1...100 {
        let sprite = Sprite(x: 80, y: 80, scale: Float(step) * 0.02, angle: 0.2)
        let sum = Drawing.sum(Drawing.picture(canvas, [sprite], material, .additive))
        #expect(Double(sum) >= Double(before) * 0.995 - 20, "\(step) \(material.contents)")
        before = sum
      }
    }
  }

  @Test func `the built-in light is 32 points across, falls steadily and ends at 0`() {
    let canvas = Drawing.canvas(64, 64, toneMapping: .clip)
    let drawn = Drawing.picture(canvas, [Sprite(x: 32.5, y: 32.5)], SpriteMaterial(), .additive)
    #expect(drawn.pixel(32, 32)[0] >= 253)
    for x in 32..<63 { #expect(drawn.pixel(x, 32)[0] >= drawn.pixel(x + 1, 32)[0]) }
    for x in 0..<64 where abs(x - 32) > 16 { #expect(drawn.pixel(x, 32)[0] == 0) }
    #expect(drawn.pixel(46, 32)[0] > 0)
  }
}
