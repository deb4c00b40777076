import Particles
import TestSupport
import Testing

@testable import Rendering

@Suite struct ToneMappingTests {
  /// The color of `count` lights of one color over each other.
  private func lights(
    _ count: Int, _ red: Float, _ green: Float, _ blue: Float, _ file: TextureFile,
    toneMapping: ToneMapping = .soft,
    background: Color = Drawing.black
  ) -> [Double] {
    let canvas = Drawing.canvas(16, 16, textures: file.textures, toneMapping: toneMapping)
    let sprite = Sprite(x: 8, y: 8, red: red, green: green, blue: blue, alpha: 0.1)
    let drawn = Drawing.picture(
      canvas, [Sprite](repeating: sprite, count: count), file.material(), .additive, background: background)
    return (0..<3).map { Double(Drawing.sum(drawn, $0)) / 256 }
  }

  private func white() throws -> TextureFile { try TextureFile(Drawing.flat(16, 16, [255, 255, 255, 255])) }

  @Test func `more light is never darker, keeps its hue and turns white only at the end`() throws {
    let file = try white()
    var before = [0.0, 0, 0]
    for count in stride(from: 1, through: 2000, by: 7) {
      let now = lights(count, 1, 0.53, 0, file)
      for k in 0..<3 { #expect(now[k] >= before[k] - 1e-9, "\(count)") }
      // The order of components is kept at any strength: orange stays orange.
      if count < 100 { #expect(now[0] > now[1] + 3 && now[1] > now[2] + 3, "\(count) \(now)") }
      // Up to twice what a screen can show the ratio stays the same within some percent.
      if count < 20 {
        #expect(abs(now[1] / now[0] - 0.53) < 0.08 && now[2] < 255 * 0.03, "\(count) \(now)")
      }
      before = now
    }
    #expect(before[2] > 240)
  }

  @Test func `light is exact below the knee`() throws {
    let file = try white()
    for count in 1...7 {
      let now = lights(count, 1, 0.5, 0.25, file)
      for (k, part) in [1, 0.5, 0.25].enumerated() {
        #expect(abs(now[k] - 25.5 * Double(count) * part) < 0.02)
      }
    }
    #expect(lights(12, 1, 0.5, 0.25, file, toneMapping: .clip)[0] == 255)
    #expect(abs(lights(12, 1, 0.5, 0.25, file, toneMapping: .clip)[1] - 153) < 0.02)
  }

  @Test func `light never darkens its background`() throws {
    let file = try white()
    for background in [Color(), Color(red: 0.9, green: 0.5, blue: 0.1), Color(red: 0.2, green: 0.3, blue: 1)]
    {
      let before = lights(0, 1, 1, 1, file, background: background)
      #expect(abs(before[0] - background.red * 255) < 0.02)
      for count in [1, 2, 3, 5, 8, 13, 21, 50, 200] {
        let now = lights(count, 0.3, 0.6, 1, file, background: background)
        for k in 0..<3 { #expect(now[k] >= before[k] - 1e-9) }
      }
    }
  }

  @Test func `colors of whole steps stay exact, and others keep their mean`() throws {
    for toneMapping in ToneMapping.allCases {
      for value in 0...255 {
        let part = Double(value) / 255
        let canvas = Drawing.canvas(16, 16, toneMapping: toneMapping)
        let drawn = Drawing.picture(canvas, [], background: Color(red: part, green: 1 - part, blue: part))
        #expect(drawn == Drawing.flat(16, 16, [UInt8(value), UInt8(255 - value), UInt8(value), 255]))
      }
      for step in 0..<500 {
        let part = Double(step) / 499
        let canvas = Drawing.canvas(16, 16, toneMapping: toneMapping)
        let drawn = Drawing.picture(canvas, [], background: Color(red: part, green: part, blue: part))
        #expect(abs(Double(Drawing.sum(drawn)) / 256 - part * 255) <= 1.0 / 128 + 1e-4)
      }
    }
  }
}
