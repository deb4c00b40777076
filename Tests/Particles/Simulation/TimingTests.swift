import Testing

@testable import Particles

@Suite struct TimingTests {
  /// Births after each tenth of a second.
  private func births(_ seconds: Double, _ change: (inout Layer, inout Cell) -> Void) -> [Int] {
    let system = ParticleSystem(
      layer {
        $1.birthRate = 600
        change(&$0, &$1)
      })
    return (0..<Int(seconds * 10 + 0.5)).map { _ in
      system.run(6)
      return Int(system.births)
    }
  }

  @Test func `a cell begins at its beginTime and ends after its duration`() {
    #expect(
      births(0.6) { ($1.timing.beginTime, $1.timing.duration) = (0.2, 0.2) } == [0, 0, 60, 120, 120, 120])
    #expect(
      births(0.6) { layer, _ in (layer.timing.beginTime, layer.timing.duration) = (0.1, 0.3) } == [
        0, 60, 120, 180, 180, 180,
      ])
  }

  @Test func `a beginning inside a frame counts by its part of the frame`() {
    #expect(births(0.2) { layer, cell in cell.timing.beginTime = 0.055 } == [27, 87])
    let system = ParticleSystem(
      layer {
        $1.birthRate = 600
        ($1.timing.beginTime, $1.timing.duration) = (0.005, 0.005)
      })
    system.step(1 / 60)
    let ages: ClosedRange<Float> = 0.00666...0.01167
    #expect(system.sprites.allSatisfy { ages.contains($0.age) })
    #expect(system.births == 3)
  }

  @Test func `repeats and reversals lengthen the span`() {
    #expect(births(0.4) { ($1.timing.duration, $1.timing.repeatCount) = (0.1, 3) } == [60, 120, 180, 180])
    #expect(births(0.3) { ($1.timing.duration, $1.timing.autoreverses) = (0.1, true) } == [60, 120, 120])
    #expect(births(0.2) { ($1.timing.duration, $1.timing.repeatCount) = (0.1, 0.5) } == [60, 60])
  }

  @Test func `an offset is time that has passed`() {
    #expect(births(0.3) { ($1.timing.duration, $1.timing.timeOffset) = (0.3, 0.1) } == [60, 120, 120])
    #expect(births(0.2) { ($1.timing.duration, $1.timing.timeOffset) = (0.3, 1) } == [0, 0])
  }

  @Test func `a fill mode holds the birth rate outside the span`() {
    let span: (inout Cell) -> Void = { ($0.timing.beginTime, $0.timing.duration) = (0.1, 0.1) }
    let all: [(FillMode, [Int])] = [
      (.removed, [0, 60, 60]), (.forwards, [0, 60, 120]), (.backwards, [60, 120, 120]),
      (.both, [60, 120, 180]),
    ]
    for (mode, expected) in all {
      #expect(
        births(0.3) { _, cell in
          span(&cell)
          cell.timing.fillMode = mode
        } == expected)
    }
  }

  @Test func `a speed scales births, motion and lifetime`() {
    let system = ParticleSystem(
      layer {
        $0.timing.speed = 2
        $1.timing.speed = 1.5
        ($1.velocity, $1.lifetime) = (100, 1)
      })
    system.step(1 / 60)
    #expect(system.births == 3)
    system.layer.birthRate = 0
    let x = system.sprites[0].x
    system.run(6)
    #expect(abs(system.sprites[0].x - x - 30) < 1e-3 && abs(system.sprites[2].age - 0.3) < 1e-4)
    system.run(14)
    #expect(system.live == 0)
  }

  @Test func `a speed of 0 or less stops the layer`() {
    for speed in [0.0, -1] {
      let system = ParticleSystem(layer { $1.velocity = 100 })
      system.run(30)
      let before = system.sprites
      system.layer.timing.speed = speed
      system.run(100)
      #expect(system.sprites == before && system.births == 30)
      system.layer.timing.speed = 1
      system.run(1)
      #expect(system.births == 31)
    }
  }

  @Test func `a fast cell ends sooner`() {
    #expect(births(0.3) { ($1.timing.speed, $1.timing.duration) = (2, 0.2) } == [120, 120, 120])
    #expect(births(0.3) { ($0.timing.speed, $1.timing.duration) = (2, 0.2) } == [120, 120, 120])
    #expect(births(0.3) { ($0.timing.speed, $1.timing.beginTime) = (2, 0.2) } == [0, 120, 240])
  }

  @Test func `inner cells use the layer's time`() {
    let system = ParticleSystem(
      layer {
        var inner = Cell(name: "glow")
        (inner.birthRate, inner.lifetime, inner.timing.beginTime, inner.timing.duration) = (60, 10, 0.5, 0.1)
        ($1.birthRate, $1.lifetime, $1.cells) = (60, 100, [inner])
      })
    system.step(1 / 60)
    system.layer.cells[0].birthRate = 0
    system.run(28)
    #expect(system.births == 1)
    system.run(100)
    #expect(system.births == 7)
  }
}
