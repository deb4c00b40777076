import Particles
import TestSupport
import Testing

@testable import Rendering

@Suite struct SameBytesTests {
  /// Sprites with all looks in all modes, many of them across tile borders.
  static func scene(_ canvas: Canvas, _ file: TextureFile, seed: UInt64) -> Picture {
    var dice = Dice(seed)
    func number(_ range: ClosedRange<Float>) -> Float { Float.random(in: range, using: &dice) }
    let materials = [
      SpriteMaterial(), SpriteMaterial(rect: UnitRect(x: 0.2, y: 0, width: 0.5, height: 1)), file.material(),
      file.material { $0.magnification = .nearest }, file.material { $0.minification = .nearest },
      file.material {
        $0.minification = .trilinear
        $0.minificationBias = 0.7
      }, file.material { $0.rect = UnitRect(x: 0.25, y: 0.5, width: 0.3, height: 0.5) },
    ]
    canvas.begin(
      background: Color(red: 0.1, green: 0.2, blue: 0.3, alpha: 0.8), picture: Drawing.noise(50, 40))
    for mode in [RenderMode.additive, .oldestFirst, .additive] {
      let sprites = (0..<60).map { _ in
        Sprite(
          x: number(-20...320), y: number(-20...220), scale: number(0...1) * number(0...6),
          angle: number(-50...50), red: number(0...1), green: number(0...1), blue: number(0...1),
          alpha: number(0...1), material: Int32.random(in: 0..<7, using: &dice))
      }
      canvas.draw(sprites, materials: materials, mode: mode)
    }
    return canvas.end { Picture(width: canvas.width, height: canvas.height, pixels: Array($0)) }
  }

  @Test func `threads and tiles do not change a byte`() throws {
    let file = try TextureFile(Drawing.noise(37, 23))
    for toneMapping in ToneMapping.allCases {
      let canvas = Drawing.canvas(301, 203, textures: file.textures, toneMapping: toneMapping)
      let expected = Self.scene(canvas, file, seed: 7)
      for (threads, tile) in [(2, 128), (8, 128), (3, 16), (1, 37), (8, 64), (2, 1000)] {
        let other = Drawing.canvas(
          301, 203, textures: file.textures, toneMapping: toneMapping, threads: threads, tile: tile)
        #expect(Self.scene(other, file, seed: 7) == expected, "\(threads) \(tile)")
        #expect(Self.scene(other, file, seed: 7) == expected, "drawn again")
      }
    }
  }

  @Test func `sine and cosine are accurate enough and the same everywhere`() {
    for step in -2000...2000 {
      let angle = Float(step) * 0.0173
      let turn = SinCos(angle)
      #expect(abs(Double(turn.sine) - sine(Double(angle))) < 1e-7)
      #expect(abs(turn.sine * turn.sine + turn.cosine * turn.cosine - 1) < 3e-7)
    }
    #expect(SinCos(.pi / 2).sine == 1 && SinCos(.pi).cosine == -1 && SinCos(0).cosine == 1)
    for angle: Float in [.nan, .infinity, 1e30, -1e30, 3e38] {
      #expect(SinCos(angle).sine.magnitude <= 1 && SinCos(angle).cosine.magnitude <= 1)
    }
    #expect(CanvasMaterial.powerOfTwo(3) == 8 && CanvasMaterial.powerOfTwo(-2) == 0.25)
    #expect(abs(CanvasMaterial.powerOfTwo(0.5) - 2.0.squareRoot()) < 1e-6)
  }

  /// Recursively by thirds: sin x = 3 sin(x/3) − 4 sin³(x/3).
  private func sine(_ x: Double) -> Double {
    if x.magnitude < 1e-5 { return x - x * x * x / 6 }
    let third = sine(x / 3)
    return 3 * third - 4 * third * third * third
  }
}
