import Testing

@testable import Particles

/// Particles compared bit by bit: a change of one of these numbers changes the pictures of all shows.
@Suite struct GoldenParticleTests {
  /// The tutorial's cell: children with a lifetime of one frame pulse on parents that fly.
  static func tutorial(_ change: (inout Layer) -> Void = { _ in }) -> Layer {
    var layer = layer { layer, cell in
      var child = Cell(name: "childCell")
      (child.lifetime, child.birthRate, child.scale) = (1.0 / 60, 60, 0.5)
      layer.shape = .rectangle
      layer.renderMode = .additive
      layer.position = Point(x: 640, y: 360)
      layer.size = Size(width: 640, height: 360)
      cell.name = "cell"
      (cell.birthRate, cell.lifetimeRange, cell.velocity, cell.velocityRange) = (80, 0.25, 100, 300)
      cell.emissionRange = 2 * .pi
      cell.color = Color(red: 1, green: 0.53, blue: 0, alpha: 0.8)
      (cell.redRange, cell.greenRange, cell.blueRange, cell.alphaRange) = (0.46, 0.49, 0.67, 0.55)
      (cell.redSpeed, cell.greenSpeed, cell.blueSpeed, cell.alphaSpeed) = (0.11, 0.07, -0.25, 0.15)
      cell.contents = .none
      cell.cells = [child]
    }
    change(&layer)
    return layer
  }

  /// After 600 frames in which scale and position are driven.
  private func fingerprint(_ layer: Layer) -> UInt64 {
    let system = ParticleSystem(layer, node: "sparks", channel: 1)
    for frame in 0..<600 {
      if !system.layer.cells[0].cells.isEmpty {
        system.layer.cells[0].cells[0].scale = Double(frame % 50) / 10
      }
      system.layer.position.x = 640 + Double(frame % 100)
      system.step(1 / 60)
    }
    return system.fingerprint
  }

  @Test func `the tutorial gives the golden fingerprint`() {
    #expect(fingerprint(Self.tutorial()) == 8_539_243_201_162_591_704)
  }

  @Test func `forces, depth, spin and all that grows give the golden fingerprint`() {
    let layer = Self.tutorial {
      ($0.cells[0].yAcceleration, $0.cells[0].zAcceleration) = (98, -5)
      ($0.cells[0].spin, $0.cells[0].spinRange, $0.cells[0].scaleSpeed) = (1, 3, -0.3)
      ($0.cells[0].emissionLatitude, $0.cells[0].scaleRange) = (0.3, 0.5)
      ($0.cells[0].cells[0].velocity, $0.cells[0].cells[0].lifetime) = (40, 0.3)
      $0.timing.speed = 0.7
      $0.limit = 1000
      $0.prewarm = 0.5
    }
    #expect(fingerprint(layer) == 6_870_391_797_480_952_651)
  }

  @Test func `the other interpretations give the golden fingerprint`() {
    let layer = Self.tutorial {
      ($0.ranges, $0.latitudes, $0.directions, $0.lifetimes) = (.whole, .fromZ, .alongX, .range)
      ($0.lifetime, $0.seed, $0.shape) = (0.5, 9, .line)
    }
    #expect(fingerprint(layer) == 11_378_607_509_440_823_375)
  }

  @Test func `every shape and mode gives the golden fingerprint`() {
    var all: [UInt64] = []
    for shape in EmitterShape.allCases {
      for mode in EmitterMode.allCases {
        all.append(
          fingerprint(
            Self.tutorial {
              ($0.shape, $0.mode, $0.depth) = (shape, mode, 50)
              $0.cells[0].cells = []
            }))
      }
    }
    #expect(Set(all).count == 14)
    #expect(all.reduce(0) { $0 &* 31 &+ $1 } == 18_258_728_065_855_594_668)
  }

  @Test func `frames of other lengths give the golden fingerprint`() {
    var all: UInt64 = 0
    for fps in [1.0, 24, 29.97, 59.94, 1000] {
      let system = ParticleSystem(Self.tutorial(), node: "sparks", channel: 2)
      system.run(Int(fps * 3), 1 / fps)
      all = all &* 31 &+ system.fingerprint
    }
    #expect(all == 14_257_248_072_155_373_610)
  }
}
