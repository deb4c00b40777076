import CRealtime
import CRendering
import CRenderingClones
import Particles
import TestSupport
import Testing

@testable import Rendering

/// Every clone of the renderer's kernels gives the same bytes.
@Suite struct RenderingCloneTests {
  private static var sets: [rendering_set] {
    [rendering_set_chosen()] + [1, 3, 4].filter { $0 <= vg_clone() }.map { rendering_set_of($0) }
  }

  @Test func `all clones draw and tone-map the same bytes`() throws {
    let file = try TextureFile(Drawing.noise(37, 23))
    let side = 96
    let canvas = Drawing.canvas(side, side, textures: file.textures)
    for seed: UInt64 in 1...8 {
      _ = SameBytesTests.scene(canvas, file, seed: seed)
      let entries = canvas.sprites.enumerated().map {
        vg_entry(sprite: UInt32($0.offset), left: UInt16($0.element.left), right: UInt16($0.element.right))
      }
      let floats = UnsafeMutablePointer<Float>.allocate(capacity: side * side * 8 + 32)
      defer { floats.deallocate() }
      let aligned = UnsafeMutableRawPointer(floats).alignedUp(toMultipleOf: 64).assumingMemoryBound(
        to: Float.self)
      for (knee, opaque) in [(Float(0.75), Int32(1)), (0.75, 0), (1, 1), (1, 0)] {
        let results = Self.sets.map { set in
          var tile = vg_tile(
            left: 0, right: Int32(side), top: 0, bottom: Int32(side), stride: Int32(side), touched: 0,
            background: (0.05, 0.1, 0.2, opaque == 1 ? 1 : 0.6), base: aligned,
            light: aligned + side * side * 4)
          set.draw(&tile, entries, entries.count, canvas.sprites, canvas.mipLevels)
          var tone = vg_tone_mapping(knee: knee, white: 3, opaque: opaque)
          var bytes = [UInt8](repeating: 1, count: side * side * 4)
          set.map_tones(&tile, &tone, &bytes, side * 4)
          return bytes + (0..<side * side * 8).flatMap { i in withUnsafeBytes(of: aligned[i]) { Array($0) } }
        }
        for result in results.dropFirst() { #expect(result == results[0]) }
      }
    }
    for (width, height) in [(2, 2), (38, 6), (128, 64)] {
      var dice = Dice(UInt64(width))
      let pixels = (0..<width * height * 4).map { _ in UInt8.random(in: 0...255, using: &dice) }
      let yuv_planes = Self.sets.map { set in
        var yuv_planes = [UInt8](repeating: 1, count: width * height * 3 / 2)
        set.yuv_planes(pixels, &yuv_planes, width, height)
        return yuv_planes
      }
      #expect(Set(yuv_planes).count == 1)
    }
    for step in 0...1000 {
      let lights = Self.sets.map { $0.light_profile(Float(step) * 0.0011) }
      #expect(Set(lights).count == 1)
    }
  }
}
