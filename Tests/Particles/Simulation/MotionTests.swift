import Testing

@testable import Particles

/// One particle, born at the end of the first frame.
private func one(_ change: (inout Layer, inout Cell) -> Void) -> ParticleSystem {
  let system = ParticleSystem(
    layer {
      $0.position = Point(x: 100, y: 200)
      $1.lifetime = 100
      change(&$0, &$1)
    })
  system.step(1 / 60)
  system.layer.birthRate = 0
  return system
}

private func near(_ a: Float, _ b: Double, _ error: Double) -> Bool { abs(Double(a) - b) <= error }

@Suite struct MotionTests {
  @Test(arguments: [10.0, 24, 60, 240, 1000])
  func `places follow the law of constant acceleration at any frame rate`(fps: Double) {
    let system = one {
      ($1.velocity, $1.emissionLongitude, $1.emissionLatitude) = (80, 0.5, 0.3)
      ($1.xAcceleration, $1.yAcceleration, $1.zAcceleration) = (-20, 98, 7)
    }
    // cos 0.5 cos 0.3, sin 0.5 cos 0.3, sin 0.3
    let (vx, vy, vz) = (80 * 0.838386643, 80 * 0.458012717, 80 * 0.295520207)
    for frame in 1...Int(2 * fps) {
      system.step(1 / fps)
      let t = Double(frame) / fps
      let sprite = system.sprites[0]
      #expect(near(sprite.x, 100 + vx * t - 10 * t * t, 0.02))
      #expect(near(sprite.y, 200 + vy * t + 49 * t * t, 0.02))
      #expect(near(sprite.z, vz * t + 3.5 * t * t, 0.02))
      #expect(near(sprite.age, t, 1e-4))
    }
  }

  @Test func `births within a frame lie where many small frames would put them`() {
    let make = { (change: (inout Cell) -> Void) in
      ParticleSystem(
        layer {
          $1.birthRate = 60_000
          ($1.velocity, $1.xAcceleration, $1.yAcceleration, $1.spin) = (500, 100, -3000, 4)
          ($1.scaleSpeed, $1.redSpeed) = (-0.5, -0.7)
          change(&$1)
        })
    }
    let (whole, parts) = (make { _ in }, make { _ in })
    whole.step(1 / 60)
    parts.run(1000, 1 / 60_000)
    #expect(whole.births == 1000 && parts.births == 1000)
    for (a, b) in zip(whole.sprites, parts.sprites) {
      #expect(near(a.x, Double(b.x), 1e-3) && near(a.y, Double(b.y), 1e-3))
      #expect(near(a.age, Double(b.age), 1e-6) && near(a.angle, Double(b.angle), 1e-5))
      #expect(near(a.scale, Double(b.scale), 1e-6) && near(a.red, Double(b.red), 1e-6))
    }
  }

  @Test func `births are spread uniformly within the frame`() {
    let system = ParticleSystem(layer { $1.birthRate = 60_000 })
    system.step(1 / 60)
    for (i, sprite) in system.sprites.enumerated() {
      #expect(near(sprite.age, Double(999 - i) / 60_000, 1e-6))
    }
  }

  @Test func `births lie along the path of the emitter, except in the first frame`() {
    let system = ParticleSystem(layer { $1.birthRate = 600 })
    system.layer.position = Point(x: 100, y: 50)
    system.step(1 / 60)
    #expect(system.sprites.allSatisfy { $0.x == 100 && $0.y == 50 })
    system.layer.position = Point(x: 200, y: 0)
    system.layer.zPosition = 10
    system.step(1 / 60)
    for (i, sprite) in system.sprites[10...].enumerated() {
      let part = Double(i + 1) / 10
      #expect(near(sprite.x, 100 + 100 * part, 1e-3) && near(sprite.y, 50 - 50 * part, 1e-3))
      #expect(near(sprite.z, 10 * part, 1e-4))
    }
  }

  @Test func `size, color and angle follow their speeds for hours, at any frame length`() {
    let system = ParticleSystem(
      layer {
        $1.birthRate = 1
        $1.lifetime = 1
        $1.color = Color(red: 0.2, green: 0.9, blue: 0.5, alpha: 1)
        ($1.redSpeed, $1.greenSpeed, $1.blueSpeed, $1.alphaSpeed) = (0.5, -0.5, 1, -0.25)
        ($1.scaleSpeed, $1.spin, $1.scale) = (-0.75, 3, 2)
        $0.scale = 2
      })
    for frame in 1...100_000 {
      system.step(1 / 60)
      guard let sprite = system.sprites.first else { continue }
      let age = Double(frame % 60) / 60
      #expect(near(sprite.age, age, 2e-5))
      #expect(near(sprite.red, 0.2 + 0.5 * age, 1e-5) && near(sprite.green, 0.9 - 0.5 * age, 1e-5))
      #expect(near(sprite.blue, min(1, 0.5 + age), 2e-5) && near(sprite.alpha, 1 - 0.25 * age, 1e-5))
      #expect(near(sprite.scale, 4 - 1.5 * age, 3e-5) && near(sprite.angle, 3 * age, 1e-4))
    }
  }

  @Test func `a size never goes below 0, and at 0 the particle is not drawn`() {
    let system = one { $1.scaleSpeed = -1 }
    system.run(30)
    #expect(near(system.sprites[0].scale, 0.5, 1e-6))
    system.run(31)
    #expect(system.live == 1 && system.sprites.isEmpty)
  }

  @Test func `a changed speed acts on all living particles`() {
    let system = one { $1.color.red = 0 }
    system.layer.cells[0].redSpeed = 0.6
    system.run(60)
    system.layer.cells[0].redSpeed = -0.3
    system.run(60)
    #expect(near(system.sprites[0].red, 0.3, 1e-5))
    system.layer.cells[0].yAcceleration = 10
    system.run(60)
    #expect(near(system.sprites[0].y, 205, 1e-3))
  }

  @Test func `a particle that flies too far is removed`() {
    let system = one { $1.velocity = 1e6 }
    system.run(9, 1)
    #expect(system.live == 1)
    system.run(2, 1)
    #expect(system.live == 0)
    let deep = one { ($1.velocity, $1.emissionLatitude) = (1e6, .pi / 2) }
    deep.run(11, 1)
    #expect(deep.live == 0)
  }

  @Test func `angles turn clockwise on a screen whose y points down`() {
    let system = one { ($1.velocity, $1.emissionLongitude) = (60, .pi / 2) }
    system.run(60)
    #expect(near(system.sprites[0].x, 100, 1e-4) && near(system.sprites[0].y, 260, 1e-3))
    let up = one { ($1.velocity, $1.emissionLongitude) = (60, -.pi / 2) }
    up.run(60)
    #expect(up.sprites[0].x == 100 && near(up.sprites[0].y, 140, 1e-3))
  }
}
