import CParticles
import Testing

@testable import Particles

/// Where Apple's sources contradict each other, each interpretation does what it states.
@Suite struct AppleAmbiguitiesTests {
  private func extent(_ values: [Float]) -> ClosedRange<Float> { values.min()!...values.max()! }

  private func near(_ range: ClosedRange<Float>, _ low: Float, _ high: Float) -> Bool {
    let error = (high - low) / 1000
    return abs(range.lowerBound - low) < error && abs(range.upperBound - high) < error
  }

  @Test func `a range is to either side, or whole`() {
    for (reading, low, high) in [(RangeConvention.eitherSide, Float(1), Float(5)), (.whole, 2, 4)] {
      let system = crowd(50_000) {
        $0.ranges = reading
        ($1.scale, $1.scaleRange) = (3, 2)
        ($1.lifetime, $1.lifetimeRange) = (3, 2)
        ($1.spin, $1.spinRange) = (3, 2)
        ($1.velocity, $1.velocityRange) = (3, 2)
        ($1.color.red, $1.redRange) = (0.3, 0.2)
        ($1.color.alpha, $1.alphaRange) = (0.3, 0.2)
      }
      let all = system.pools[0].all
      #expect(near(extent((0..<all.count).map { all.attributes[$0].life }), low, high))
      #expect(near(extent(system.sprites.map(\.scale)), low, high))
      #expect(near(extent(system.sprites.map(\.red)), low / 10, high / 10))
      #expect(near(extent(system.sprites.map(\.alpha)), low / 10, high / 10))
      system.step(1)
      #expect(near(extent(system.sprites.map(\.x)), low, high))
      #expect(near(extent(system.sprites.map(\.angle)), low, high))
    }
  }

  @Test func `an emission range is whole in either interpretation of ranges`() {
    for reading in RangeConvention.allCases {
      let system = crowd(50_000) {
        $0.ranges = reading
        ($1.velocity, $1.emissionRange) = (1, 1)
      }
      system.step(1)
      #expect(near(extent(system.sprites.map { Float(arc(Double($0.y), Double($0.x))) }), -0.5, 0.5))
    }
  }

  @Test func `the layer's lifetime multiplies the whole lifetime, or its range`() {
    for (reading, low, high) in [(LifetimeConvention.whole, Float(2), Float(10)), (.range, -1, 7)] {
      let system = crowd(50_000) {
        $0.lifetimes = reading
        $0.lifetime = 2
        ($1.lifetime, $1.lifetimeRange) = (3, 2)
      }
      let all = system.pools[0].all
      #expect(near(extent((0..<all.count).map { all.attributes[$0].life }), max(low, 0), high))
    }
  }

  @Test func `a latitude is measured from the plane, or from the z axis`() {
    for (reading, latitude, x, z) in [
      (LatitudeConvention.fromPlane, 0.0, 1.0, 0.0), (.fromZ, 0, 0, 1),
      (.fromPlane, 0.3, 0.955336489, 0.295520207),
      (.fromZ, 0.3, 0.295520207, 0.955336489), (.fromZ, .pi / 2, 1, 0),
    ] {
      let system = crowd(1) {
        $0.latitudes = reading
        ($1.velocity, $1.emissionLatitude) = (1, latitude)
      }
      system.step(1)
      #expect(abs(Double(system.sprites[0].x) - x) < 1e-6 && abs(Double(system.sprites[0].z) - z) < 1e-6)
    }
  }

  @Test func `a line emits upwards, or to the right like all other shapes`() {
    for shape in EmitterShape.allCases {
      for reading in DirectionConvention.allCases {
        let system = crowd(1) {
          $0.shape = shape
          $0.directions = reading
          $1.velocity = 1
        }
        system.step(1)
        let up = shape == .line && reading == .natural
        #expect(system.sprites[0].x == (up ? 0 : 1) && system.sprites[0].y == (up ? -1 : 0))
      }
    }
  }

  @Test func `a longitude of pi makes a fire fall from a line`() {
    let system = crowd(1) {
      $0.shape = .line
      ($1.velocity, $1.emissionLongitude) = (1, .pi)
    }
    system.step(1)
    #expect(abs(system.sprites[0].x) < 1e-6 && abs(system.sprites[0].y - 1) < 1e-6)
  }
}
