import Testing

@testable import Particles

/// A layer with one cell, and steps of a sixtieth of a second unless told.
func layer(_ change: (inout Layer, inout Cell) -> Void) -> Layer {
  var layer = Layer()
  var cell = Cell(name: "spark")
  cell.birthRate = 60
  cell.lifetime = 1
  change(&layer, &cell)
  layer.cells = [cell]
  return layer
}

extension ParticleSystem {
  convenience init(_ layer: Layer) { self.init(layer, node: "sparks", channel: 1) }

  /// Many frames alike.
  func run(_ frames: Int, _ seconds: Double = 1 / 60) { for _ in 0..<frames { step(seconds) } }

  /// All that can be seen.
  var sprites: [Sprite] {
    var sprites: [Sprite] = []
    appendSprites(to: &sprites)
    return sprites
  }
}

@Suite struct ParticleSystemTests {
  @Test func `sixty births a second are one in each frame of a sixtieth, for ever`() {
    let system = ParticleSystem(layer { _, _ in })
    for frame in 1...20_000 {
      system.step(1 / 60)
      #expect(system.births == UInt64(frame))
      #expect(system.live == min(frame, 60))
    }
  }

  @Test func `a life of one frame is seen in the frame of its birth alone`() {
    for rate in [60.0, 50, 61, 7, 1000] {
      let system = ParticleSystem(
        layer {
          $1.birthRate = rate
          $1.lifetime = 1.0 / 60
        })
      var before: UInt64 = 0
      for _ in 1...3000 {
        system.step(1 / 60)
        #expect(system.live == Int(system.births - before))
        #expect(system.sprites.count == system.live)
        before = system.births
      }
    }
  }
}
