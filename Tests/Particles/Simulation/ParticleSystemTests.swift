import Testing

@testable import Particles

/// A layer with one cell: sixty births a second with a lifetime of a second, unless stated otherwise.
func layer(_ change: (inout Layer, inout Cell) -> Void = { _, _ in }) -> Layer {
  var layer = Layer()
  var cell = Cell(name: "spark")
  cell.birthRate = 60
  cell.lifetime = 1
  change(&layer, &cell)
  layer.cells = [cell]
  return layer
}

/// `count` long-lived particles, all born at the end of the first frame or, if `spread`, throughout it.
func crowd(_ count: Int, spread: Bool = false, _ change: (inout Layer, inout Cell) -> Void) -> ParticleSystem
{
  let system = ParticleSystem(
    layer { layer, cell in
      layer.limit = count
      cell.birthRate = Double(count) * 60
      cell.lifetime = 1000
      change(&layer, &cell)
    })
  // A frame so short that no particle moves within it.
  if !spread { system.layer.birthRate = 1e9 }
  system.step(spread ? 1.0 / 60 : 1.0 / 60 / 1e9)
  system.layer.birthRate = 0
  return system
}

extension ParticleSystem {
  convenience init(_ layer: Layer) { self.init(layer, node: "sparks", channel: 1) }

  /// Runs many equal frames.
  func run(_ frames: Int, _ seconds: Double = 1 / 60) { for _ in 0..<frames { step(seconds) } }

  /// All visible sprites.
  var sprites: [Sprite] {
    var sprites: [Sprite] = []
    appendSprites(to: &sprites)
    return sprites
  }
}

@Suite struct ParticleSystemTests {
  @Test func `sixty births a second are one in each frame of 1/60 s, for ever`() {
    let system = ParticleSystem(layer())
    for frame in 1...20_000 {
      system.step(1 / 60)
      #expect(system.births == UInt64(frame))
      #expect(system.live == min(frame, 60))
    }
  }

  @Test(arguments: [24.0, 25, 29.97, 30, 48, 49, 50, 59.94, 60, 75, 120, 144, 1000])
  func `as many births as frames are one in each, at any frame rate`(fps: Double) {
    let system = ParticleSystem(layer { $1.birthRate = fps })
    for frame in 1...5000 {
      system.step(1 / fps)
      #expect(system.births == UInt64(frame))
    }
  }

  @Test(arguments: [0.3, 1, 7, 59, 61, 80, 1234.5])
  func `births follow the rate without drift`(rate: Double) {
    let system = ParticleSystem(layer { $1.birthRate = rate })
    for frame in 1...6000 {
      system.step(1 / 60)
      let exact = rate * Double(frame) / 60
      #expect(Double(system.births) <= exact + 1e-5 && Double(system.births) > exact - 1 - 1e-5)
    }
  }

  @Test func `a particle with a lifetime of one frame is drawn only in the frame of its birth`() {
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

  @Test(arguments: [(1.0 / 60, 1), (0.05, 3), (0.5, 30), (1.0, 60), (2.5, 150), (10.0, 600), (61.0, 3660)])
  func `a lifetime ends with its frame`(life: Double, frames: Int) {
    let system = ParticleSystem(layer { $1.lifetime = life })
    system.step(1 / 60)
    system.layer.birthRate = 0
    for _ in 1..<frames {
      #expect(system.live == 1)
      system.step(1 / 60)
    }
    #expect(system.live == 1)
    system.step(1 / 60)
    #expect(system.live == 0)
  }

  @Test func `the number alive is the number of births in a lifetime`() {
    let system = ParticleSystem(
      layer {
        $1.birthRate = 5000
        $1.lifetimeRange = 0.5
      })
    system.run(120)
    var sum = 0
    for _ in 0..<600 {
      system.step(1 / 60)
      sum += system.live
    }
    // Five standard deviations of the mean of 50,000 lifetimes.
    #expect(abs(Double(sum) / 600 - 5000) < 33)
  }

  @Test func `without a lifetime there is no particle`() {
    for change in [{ $0.lifetime = 0 }, { $0.lifetime = -1 }, { $0.lifetime = 0.001 }]
      as [(inout Cell) -> Void]
    {
      let system = ParticleSystem(layer { change(&$1) })
      system.step(1 / 60)
      #expect(system.live == (system.layer.cells[0].lifetime > 0 ? 1 : 0))
      system.run(100)
      #expect(system.live <= 1 && system.births == 101)
    }
  }

  @Test func `births above the limit are dropped and counted`() {
    let system = ParticleSystem(
      layer {
        $0.limit = 100
        $1.birthRate = 600
      })
    for frame in 1...200 {
      system.step(1 / 60)
      #expect(system.live <= 100)
      #expect(system.births + system.dropped == UInt64(frame) * 10)
    }
    #expect(system.dropped > 0)
  }

  @Test func `a limit that shrinks removes no particle`() {
    let system = ParticleSystem(layer())
    system.run(30)
    system.layer.limit = 10
    system.step(1 / 60)
    #expect(system.live == 30 && system.dropped == 1)
    system.layer.limit = -5
    system.run(200)
    #expect(system.live == 0)
  }

  @Test func `a disabled cell has no births, and its particles live on`() {
    let system = ParticleSystem(layer())
    system.run(30)
    system.layer.cells[0].enabled = false
    system.run(15)
    #expect(system.live == 30 && system.births == 30)
    system.layer.cells[0].enabled = true
    system.run(1)
    #expect(system.births == 31)
  }

  @Test func `prewarm is time that has passed`() {
    let plain = layer {
      $1.birthRate = 500
      $1.lifetimeRange = 0.4
      $1.velocity = 30
      $1.emissionRange = 6
    }
    var warm = plain
    warm.prewarm = 2
    let (cold, system) = (ParticleSystem(plain), ParticleSystem(warm))
    cold.run(121)
    system.step(1 / 60)
    #expect(system.births == cold.births && system.fingerprint == cold.fingerprint)
    #expect(system.births > 1000)
  }

  @Test func `prewarm ends early when it is canceled, and the frame follows`() {
    let system = ParticleSystem(layer { layer, _ in layer.prewarm = 3600 })
    var cancelChecks = 0
    system.step(1 / 32) {
      cancelChecks += 1
      return cancelChecks > 64
    }
    #expect(system.time == 65.0 / 32)
  }

  @Test func `prewarm ends, however short the first frame is`() {
    let system = ParticleSystem(layer { layer, _ in layer.prewarm = 3600 })
    system.step(1e-12)
    #expect(system.live == 60)
    let still = ParticleSystem(layer { layer, _ in layer.prewarm = 5 })
    still.step(0)
    #expect(still.births == 0)
  }

  @Test func `particles without contents live without being drawn`() {
    let system = ParticleSystem(layer { $1.contents = .none })
    system.run(10)
    #expect(system.live == 10 && system.sprites.isEmpty)
  }

  @Test func `looks are those of the present layer`() {
    var layer = layer()
    var inner = Cell(name: "glow")
    inner.contents = .file("a.png")
    layer.cells[0].cells = [inner]
    layer.cells.append(Cell(name: "dust"))
    let system = ParticleSystem(layer)
    #expect(system.materials.map(\.contents) == [.soft, .soft, .file("a.png")])
    system.layer.cells[0].cells[0].contentsRect.x = 0.5
    system.layer.cells[1].contentsScale = 2
    #expect(system.materials[2].rect.x == 0.5 && system.materials[1].contentsScale == 2)
  }

  @Test func `a sprite has the bytes that the kernel writes`() {
    #expect(MemoryLayout<Sprite>.size == 48 && MemoryLayout<Sprite>.stride == 48)
    let system = ParticleSystem(
      layer {
        $0.position = Point(x: 1, y: 2)
        $0.zPosition = 3
        $0.tint = Color(red: 0.5, green: 1, blue: 1, alpha: 0.5)
        $1.scale = 4
        $1.color = Color(red: 0.5, green: 0.25, blue: 0.125, alpha: 0.5)
      })
    system.step(1 / 60)
    #expect(
      system.sprites == [
        Sprite(x: 1, y: 2, z: 3, scale: 4, angle: 0, red: 0.25, green: 0.25, blue: 0.125, alpha: 0.25, age: 0)
      ])
  }
}
