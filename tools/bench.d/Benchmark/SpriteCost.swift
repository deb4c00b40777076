import CRealtime
import Glibc
import Particles
import Rendering

/// The cost of drawing 10,000 sprites of 32 points into a picture, with the picture's start and end.
struct SpriteCost {
  /// An opaque square: no part of it can be skipped.
  private static let square = Picture(
    width: 32, height: 32,
    pixels: (0..<32 * 32).flatMap { (i: Int) -> [UInt8] in [UInt8(i % 256), UInt8(i / 4), UInt8(i % 97), 255]
    })

  func run() {
    let path = "/tmp/visgraph-bench-\(getpid()).png"
    let textures = Textures()
    let materials = [SpriteMaterial(contents: .file(path)), SpriteMaterial()]
    do throws(PictureError) {
      try Self.square.write(path: path, replacing: true)
      defer { unlink(path) }
      try textures.read(materials)
    } catch {
      Benchmark.fail(error.message)
    }
    for (name, width, height) in [("720p", 1280, 720), ("4k", 3840, 2160)] {
      for (cores, threads) in [("one", 1), ("two", 2)] {
        let canvas = Canvas(
          width: width, height: height, stage: Size(width: 1280, height: 720), textures: textures,
          threads: threads)
        measure("\(name).\(cores).end", canvas, [], materials, .additive)
        measure("\(name).\(cores).additive", canvas, Self.sprites(0), materials, .additive)
        measure("\(name).\(cores).over", canvas, Self.sprites(0), materials, .oldestFirst)
        measure("\(name).\(cores).soft", canvas, Self.sprites(1), materials, .additive)
      }
    }
  }

  /// Rotated sprites all over the stage, the same in every run.
  private static func sprites(_ material: Int32) -> [Sprite] {
    var state: UInt32 = 1
    func part() -> Float {
      state = state &* 1_664_525 &+ 1_013_904_223
      return Float(state >> 8) / 16_777_216
    }
    return (0..<10_000).map { _ in
      Sprite(
        x: part() * 1280, y: part() * 720, angle: part() * 6.28, red: 1, green: 0.53, blue: 0.1, alpha: 0.1,
        material: material)
    }
  }

  /// Milliseconds a picture, the least of twenty.
  private func measure(
    _ name: String, _ canvas: Canvas, _ sprites: [Sprite], _ materials: [SpriteMaterial], _ mode: RenderMode
  ) {
    var least = Double.infinity
    for _ in 0..<20 {
      let start = vg_now()
      canvas.begin(background: Color(red: 0, green: 0, blue: 0))
      canvas.draw(sprites, materials: materials, mode: mode)
      canvas.end { _ in }
      least = min(least, Double(vg_now() - start))
    }
    print("\(name) \(least / 1e6)")
  }
}
