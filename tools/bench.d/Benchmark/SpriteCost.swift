import CRealtime
import Glibc
import Particles
import Rendering

/// What it costs to draw 10,000 sprites of 32 points into a picture, its beginning and end included.
struct SpriteCost {
  /// A square of solid pixels: no part of it can be left out.
  private static let square = Picture(
    width: 32, height: 32,
    pixels: (0..<32 * 32).flatMap { (i: Int) -> [UInt8] in [UInt8(i % 256), UInt8(i / 4), UInt8(i % 97), 255]
    })

  func run() {
    let path = "/tmp/visgraph-bench-\(getpid()).png"
    let textures = Textures()
    let looks = [SpriteLook(contents: .file(path)), SpriteLook()]
    do throws(PictureFault) {
      try Self.square.write(path: path, replacing: true)
      defer { unlink(path) }
      try textures.read(looks)
    } catch {
      Benchmark.fail(error.sentence)
    }
    for (name, width, height) in [("720p", 1280, 720), ("4k", 3840, 2160)] {
      for (cores, threads) in [("one", 1), ("two", 2)] {
        let canvas = Canvas(
          width: width, height: height, stage: Size(width: 1280, height: 720), textures: textures,
          threads: threads)
        measure("\(name).\(cores).end", canvas, [], looks, .additive)
        measure("\(name).\(cores).additive", canvas, Self.sprites(0), looks, .additive)
        measure("\(name).\(cores).over", canvas, Self.sprites(0), looks, .oldestFirst)
        measure("\(name).\(cores).soft", canvas, Self.sprites(1), looks, .additive)
      }
    }
  }

  /// Turned sprites all over the stage, the same in every run.
  private static func sprites(_ look: Int32) -> [Sprite] {
    var state: UInt32 = 1
    func part() -> Float {
      state = state &* 1_664_525 &+ 1_013_904_223
      return Float(state >> 8) / 16_777_216
    }
    return (0..<10_000).map { _ in
      Sprite(
        x: part() * 1280, y: part() * 720, angle: part() * 6.28, red: 1, green: 0.53, blue: 0.1, alpha: 0.1,
        look: look)
    }
  }

  /// Milliseconds a picture, the least of twenty.
  private func measure(
    _ name: String, _ canvas: Canvas, _ sprites: [Sprite], _ looks: [SpriteLook], _ mode: RenderMode
  ) {
    var least = Double.infinity
    for _ in 0..<20 {
      let start = vg_now()
      canvas.begin(background: Color(red: 0, green: 0, blue: 0))
      canvas.draw(sprites, looks: looks, mode: mode)
      canvas.end { _ in }
      least = min(least, Double(vg_now() - start))
    }
    print("\(name) \(least / 1e6)")
  }
}
