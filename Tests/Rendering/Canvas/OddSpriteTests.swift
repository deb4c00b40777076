import Particles
import Testing

@testable import Rendering

/// Invalid numbers neither crash nor hang, and do not affect other sprites.
@Suite struct OddSpriteTests {
  private static let odd: [Float] = [
    .nan, .infinity, -.infinity, 1e30, -1e30, 3.4e38, -3.4e38, 1e-30, .leastNonzeroMagnitude, -1, 0, 1e7,
    -1e7,
    2_097_151, 65536,
  ]

  @Test func `invalid numbers in any field do no harm`() throws {
    let file = try TextureFile(Drawing.noise(16, 16))
    let places: [WritableKeyPath<Sprite, Float>] = [
      \.x, \.y, \.z, \.scale, \.angle, \.red, \.green, \.blue, \.alpha, \.age,
    ]
    let materials =
      [SpriteMaterial()]
      + ContentsFilter.allCases.map { filter in
        file.material {
          $0.magnification = filter
          $0.minification = filter
        }
      }
    let canvas = Drawing.canvas(40, 40, textures: file.textures)
    for material in materials {
      for mode in [RenderMode.additive, .unordered] {
        for first in places {
          for second in places where second != first {
            let sprites = Self.odd.flatMap { a in
              Self.odd.prefix(6).map { b in
                var sprite = Sprite(x: 20, y: 20)
                sprite[keyPath: first] = a
                sprite[keyPath: second] = b
                return sprite
              }
            }
            _ = Drawing.picture(canvas, sprites, material, mode)
          }
        }
      }
    }
    // A sprite with a finite place, size and color is drawn although others are invalid.
    let drawn = Drawing.picture(canvas, [Sprite(x: .nan), Sprite(x: 20, y: 20), Sprite(scale: .nan)])
    #expect(drawn.pixel(20, 20)[0] > 200)
    let wrong = Drawing.picture(
      canvas, [Sprite(x: 20, y: 20, material: 5), Sprite(x: 20, y: 20, material: -1)])
    #expect(Drawing.sum(wrong) == 0)
  }

  @Test func `invalid looks, stages and backgrounds do no harm`() throws {
    let file = try TextureFile(Drawing.noise(16, 16))
    let canvas = Drawing.canvas(40, 40, textures: file.textures)
    let numbers = [Double.nan, .infinity, -.infinity, 1e300, -1e300, 1e-300, 0, -1, 0.5, 2]
    for number in numbers {
      for contents in [Contents.soft, .none, .file(file.path), .file("/nowhere.png")] {
        for material in [
          SpriteMaterial(contents: contents, contentsScale: number),
          SpriteMaterial(contents: contents, minification: .trilinear, minificationBias: number),
          SpriteMaterial(contents: contents, rect: UnitRect(x: number, y: 0.1, width: 0.5, height: 0.5)),
          SpriteMaterial(contents: contents, rect: UnitRect(x: 0.1, y: 0.1, width: number, height: 0.5)),
        ] {
          _ = Drawing.picture(canvas, [Sprite(x: 20, y: 20, scale: 0.4, angle: 1)], material)
        }
      }
      let stage = Canvas(width: 8, height: 8, stage: Size(width: number, height: 5), textures: Textures())
      _ = Drawing.picture(
        stage, [Sprite(x: 2, y: 2)], background: Color(red: number, green: 1, blue: 0, alpha: number))
    }
    #expect(
      Drawing.sum(Drawing.picture(canvas, [Sprite(x: 20, y: 20)], SpriteMaterial(contents: .none))) == 0)
  }

  @Test func `the largest and the smallest canvas can be drawn`() {
    for (width, height) in [(16384, 1), (1, 16384), (1, 1)] {
      let canvas = Canvas(
        width: width, height: height, stage: Size(width: Double(width), height: Double(height)),
        textures: Textures())
      let sprite = Sprite(x: Float(width) / 2, y: Float(height) / 2, scale: 5)
      #expect(Drawing.sum(Drawing.picture(canvas, [sprite])) > 0)
    }
  }
}
