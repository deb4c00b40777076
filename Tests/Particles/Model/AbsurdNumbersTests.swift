import System
import Testing

@testable import Particles

/// With any numbers steps end soon, nothing traps, and every sprite has a finite place.
@Suite struct AbsurdNumbersTests {
  static let absurd: [Double] = [
    0, -0.0, 1, -1, 0.5, 1e-300, 1e-30, 1e9, -1e9, 1e30, -1e30, 1e308, -1e308, .infinity, -.infinity, .nan,
    .leastNonzeroMagnitude,
  ]

  private func tree() -> Layer {
    var layer = layer {
      $0.limit = 300
      $0.shape = .cuboid
      ($1.velocity, $1.lifetimeRange) = (100, 0.5)
      var inner = Cell(name: "glow")
      (inner.birthRate, inner.lifetime) = (60, 0.1)
      $1.cells = [inner]
    }
    layer.cells[0].cells[0].cells = [Cell(name: "third")]
    return layer
  }

  private func check(_ system: ParticleSystem, _ what: String) {
    #expect(system.live <= 300, "\(what)")
    #expect(system.live == system.pools.reduce(0) { $0 + $1.count }, "\(what)")
    for sprite in system.sprites {
      let places = [sprite.x, sprite.y, sprite.z].allSatisfy { abs($0) <= 1e7 }
      let colors = [sprite.red, sprite.green, sprite.blue, sprite.alpha].allSatisfy { 0...1 ~= $0 }
      let rest = sprite.scale >= 0 && sprite.scale.isFinite && sprite.angle.isFinite && sprite.age >= 0
      #expect(places && colors && rest && sprite.age.isFinite, "\(what) \(sprite)")
    }
  }

  @Test func `any number of the layer may be set to any value between steps`() {
    let layer = tree()
    for number in layer.allNumbers {
      let system = ParticleSystem(layer)
      system.run(20)
      for value in Self.absurd {
        system.layer[number] = value
        system.run(3)
        check(system, "\(number.path) \(value)")
      }
      system.layer[number] = layer[number]
      system.run(400)
      check(system, number.path)
    }
  }

  @Test func `all numbers may be extreme together`() {
    var dice = RandomStream(seed: 1)
    let layer = tree()
    for round in 0..<150 {
      let system = ParticleSystem(layer)
      for _ in 0..<30 {
        for number in layer.allNumbers where dice.next() % 4 == 0 {
          let absurd = Self.absurd[Int(dice.next() % UInt64(Self.absurd.count))]
          let legal =
            number.range.lowerBound
            + (number.range.upperBound - number.range.lowerBound) * Double(dice.next() % 1000) / 999
          system.layer[number] = dice.next() % 2 == 0 ? absurd : legal
        }
        system.layer.shape = EmitterShape.allCases[Int(dice.next() % 6)]
        system.layer.mode = EmitterMode.allCases[Int(dice.next() % 4)]
        system.layer.renderMode = RenderMode.allCases[Int(dice.next() % 5)]
        system.layer.latitudes = dice.next() % 2 == 0 ? .fromZ : .fromPlane
        system.layer.prewarm = 0.1
        system.step(dice.next() % 8 == 0 ? Self.absurd[Int(dice.next() % 17)] : 1.0 / 60)
        check(system, "round \(round)")
      }
    }
  }

  @Test func `1e30 births a second end at the limit`() {
    var layer = tree()
    layer.birthRate = 1e30
    layer.limit = 50_000
    layer.cells[0].birthRate = 1e30
    layer.cells[0].cells[0].birthRate = 1e30
    let system = ParticleSystem(layer)
    system.run(100)
    #expect(system.live == 50_000 && system.dropped > 1_000_000_000)
    layer.limit = .max
    layer.cells[0].birthRate = 1e9
    layer.birthRate = 0.01
    #expect(ParticlePool.most == 16_777_216)
    let inner = ParticleSystem(tree())
    inner.layer.cells[0].cells[0].birthRate = 1e30
    inner.run(10)
    #expect(inner.live == 300 && inner.dropped > 1_000_000)
  }

  @Test func `a tree that changes against the rules does no harm`() {
    let system = ParticleSystem(tree())
    system.run(30)
    system.layer.cells[0].cells = []
    system.run(30)
    check(system, "no inner cells")
    system.layer.cells = []
    system.run(200)
    #expect(system.live == 0 && system.materials.count == 3)
    let empty = ParticleSystem(Layer())
    empty.run(10)
    #expect(empty.sprites.isEmpty && empty.materials.isEmpty && empty.live == 0)
  }

  @Test func `frames of any length are accepted`() {
    for seconds in Self.absurd {
      let system = ParticleSystem(tree())
      for _ in 0..<5 {
        system.step(seconds)
        check(system, "\(seconds) s")
      }
    }
  }
}
