import Testing

@testable import Particles

/// Outer cell `spark`, inner cell `glow` with sixty births a second and a lifetime of one frame.
private func nested(_ change: (inout Layer, inout Cell, inout Cell) -> Void) -> Layer {
  layer { layer, outer in
    var inner = Cell(name: "glow")
    inner.birthRate = 60
    inner.lifetime = 1.0 / 60
    change(&layer, &outer, &inner)
    outer.cells = [inner]
  }
}

extension ParticleSystem {
  fileprivate var outer: [Sprite] { sprites.filter { $0.material == 0 } }
  fileprivate var inner: [Sprite] { sprites.filter { $0.material == 1 } }
}

@Suite struct InnerCellTests {
  @Test func `each particle has its own count of births, from its own birth on`() {
    let system = ParticleSystem(nested { _, _, inner in inner.lifetime = 1000 })
    system.step(1 / 60)
    system.layer.cells[0].birthRate = 0
    #expect(system.births == 1)
    for frame in 1..<60 {
      system.step(1 / 60)
      #expect(system.births == UInt64(1 + frame))
    }
    system.run(10)
    #expect(system.births == 60 && system.live == 59)
  }

  @Test func `a frame has as many children as parents that lived before it`() {
    let system = ParticleSystem(nested { _, outer, _ in outer.birthRate = 80 })
    for frame in 1...1000 {
      system.step(1 / 60)
      let (parents, children) = (system.outer.filter { $0.age * 60 >= 1.0 - 1e-3 }, system.inner)
      #expect(children.count == parents.count || frame < 2)
    }
  }

  @Test func `the number of births from particles follows rate and lifetime`() {
    let system = ParticleSystem(
      nested {
        $0.limit = 100_000
        ($1.birthRate, $1.lifetime, $1.lifetimeRange) = (500, 1, 0.25)
        ($2.birthRate, $2.lifetime) = (37, 0.5)
      })
    system.run(120)
    var (outer, inner) = (0, 0)
    for _ in 0..<300 {
      system.step(1 / 60)
      outer += system.outer.count
      inner += system.inner.count
    }
    #expect(abs(Double(outer) / 300 - 500) < 5)
    // A parent's last, partial frame has no births, and on average half a birth is still due at its end.
    let each = 37 * (1 - 0.5 / 60) - 0.5
    #expect(abs(Double(inner) / 300 / (500 * each * 0.5) - 1) < 0.005)
    #expect(system.births >= 100_000 / 2)
  }

  @Test func `children are spread along the path of their parent within the frame`() {
    let system = ParticleSystem(
      nested {
        ($1.velocity, $1.yAcceleration, $1.lifetime) = (600, 3600, 10)
        $1.xAcceleration = -1200
        ($2.birthRate, $2.lifetime, $2.yAcceleration) = (600, 10, 0)
      })
    system.step(1 / 60)
    system.layer.cells[0].birthRate = 0
    system.run(3)
    #expect(system.inner.count == 30)
    for (i, child) in system.inner.enumerated() {
      let t = Double(i + 1) / 600
      #expect(
        abs(Double(child.x) - 600 * t + 600 * t * t) < 1e-3 && abs(Double(child.y) - 1800 * t * t) < 1e-3)
      #expect(abs(Double(child.age) - (0.05 - t)) < 1e-5)
    }
  }

  @Test func `a child's direction is relative to its parent's`() {
    let system = ParticleSystem(
      nested {
        ($1.velocity, $1.emissionLongitude, $1.lifetime) = (60, 0.7, 100)
        ($2.velocity, $2.emissionLongitude, $2.lifetime, $2.emissionLatitude) = (100, 0.5, 100, 0.2)
      })
    system.run(2)
    system.layer.birthRate = 0
    let from = system.inner[0]
    system.run(60)
    let to = system.inner[0]
    #expect(abs(Double(to.x - from.x) - 100 * cosine(1.2) * cosine(0.2)) < 1e-2)
    #expect(abs(Double(to.y - from.y) - 100 * sine(1.2) * cosine(0.2)) < 1e-2)
    #expect(abs(Double(to.z - from.z) - 100 * sine(0.2)) < 1e-2)
  }

  @Test func `a parent with a latitude passes it on`() {
    let system = ParticleSystem(
      nested {
        ($1.velocity, $1.emissionLatitude, $1.lifetime) = (60, 0.6, 100)
        ($2.velocity, $2.emissionLatitude, $2.lifetime) = (100, 0.3, 100)
      })
    system.run(2)
    system.layer.birthRate = 0
    let from = system.inner[0]
    system.run(60)
    let to = system.inner[0]
    #expect(abs(Double(to.x - from.x) - 100 * cosine(0.9)) < 1e-2 && to.y == 0)
    #expect(abs(Double(to.z - from.z) - 100 * sine(0.9)) < 1e-2)
  }

  @Test func `children of a resting parent take the default direction`() {
    for (shape, x, y) in [(EmitterShape.point, 100.0, 0.0), (.line, 0, -100)] {
      let system = ParticleSystem(
        nested {
          $0.shape = shape
          ($2.velocity, $2.lifetime) = (100, 100)
        })
      system.run(2)
      system.layer.birthRate = 0
      system.run(60)
      let child = system.inner[0]
      #expect(abs(Double(child.x) - x) < 1e-2 && abs(Double(child.y) - y) < 1e-2)
    }
  }

  @Test func `children inherit the present size and color, multiplied`() {
    let system = ParticleSystem(
      nested {
        $0.scale = 2
        $0.tint = Color(red: 1, green: 1, blue: 0.5, alpha: 1)
        ($1.scale, $1.scaleSpeed, $1.lifetime) = (3, -1, 100)
        $1.color = Color(red: 0.5, green: 1, blue: 1, alpha: 0.8)
        $1.greenSpeed = -0.5
        $2.scale = 0.5
        $2.color = Color(red: 0.5, green: 0.5, blue: 1, alpha: 0.5)
      })
    system.run(61)
    system.layer.cells[0].birthRate = 0
    // The first parent is 1 s old: (3 − 1) × 2, green 0.5.
    let child = system.inner[0]
    #expect(abs(child.scale - 2) < 1e-4)
    #expect(abs(child.red - 0.25) < 1e-5 && abs(child.green - 0.25) < 1e-5)
    #expect(abs(child.blue - 0.5) < 1e-5 && abs(child.alpha - 0.4) < 1e-5)
  }

  @Test func `all children pulse at once when their scale is driven`() {
    let system = ParticleSystem(nested { _, outer, _ in outer.birthRate = 80 })
    system.run(60)
    for scale in [0.5, 5, 2] {
      system.layer.cells[0].cells[0].scale = scale
      system.step(1 / 60)
      #expect(system.inner.count > 60 && system.inner.allSatisfy { $0.scale == Float(scale) })
    }
  }

  @Test func `births of three nested cells multiply`() {
    var third = Cell(name: "third")
    (third.birthRate, third.lifetime) = (60, 1000)
    let system = ParticleSystem(
      nested {
        $1.lifetime = 1000
        $2.lifetime = 1000
        $2.cells = [third]
      })
    system.step(1 / 60)
    system.layer.cells[0].birthRate = 0
    system.run(10)
    // 1 parent, a child in each of ten frames, and one grandchild of each child in each later frame.
    #expect(system.births == 1 + 10 + 45 && system.materials.count == 3)
  }

  @Test func `births of inner cells count against the limit, after outer ones`() {
    let system = ParticleSystem(
      nested {
        $0.limit = 50
        ($2.birthRate, $2.lifetime) = (600, 1)
      })
    for _ in 1...300 {
      system.step(1 / 60)
      #expect(system.live <= 50)
    }
    #expect(system.dropped > 10_000 && system.births < 300 * 60)
  }

  @Test func `the layer's birth rate multiplies both levels`() {
    let system = ParticleSystem(
      nested {
        $0.birthRate = 2
        $1.lifetime = 1000
        $2.lifetime = 1000
      })
    system.run(2)
    // 2 in each frame; in the second frame 2 from each of the first two, and one from the one born half-way through.
    #expect(system.outer.count == 4)
    #expect(system.births == 4 + 1 + 4 + 1)
  }
}
