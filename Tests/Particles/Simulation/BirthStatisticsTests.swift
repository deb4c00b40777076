import CParticles
import Testing

@testable import Particles

/// The distribution of numbers: their moments, and how uniformly they fill a range.
struct Spread {
  let values: [Double]
  let count: Double
  let mean: Double
  let variance: Double

  init(values: [Double]) {
    self.values = values
    count = Double(values.count)
    let mean = values.reduce(0, +) / count
    self.mean = mean
    variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count
  }

  /// Chi-square over 64 equal parts of a range, less its mean, in its standard deviations: values above 5 are not
  /// random.
  func unevenness(_ low: Double, _ high: Double) -> Double {
    var parts = [Double](repeating: 0, count: 64)
    for value in values {
      let part = Int((value - low) / (high - low) * 64)
      guard parts.indices.contains(min(part, 63)), value >= low - 1e-5 * (high - low) else {
        return .infinity
      }
      parts[min(part, 63)] += 1
    }
    let expected = count / 64
    let chi = parts.reduce(0) { $0 + ($1 - expected) * ($1 - expected) / expected }
    return (chi - 63) / (2.0 * 63).squareRoot()
  }

  /// The correlation with `other` shifted by `lag`, cyclic.
  func correlation(_ other: Spread, lag: Int = 0) -> Double {
    let (own, others) = (values, other.values)
    var (sum, k) = (0.0, lag)
    for value in own {
      sum += value * others[k]
      k = k + 1 == others.count ? 0 : k + 1
    }
    return (sum / count - mean * other.mean) / (variance * other.variance).squareRoot()
  }
}

@Suite struct BirthStatisticsTests {
  static let count = 200_000

  private func spread(
    _ change: @escaping (inout Layer, inout Cell) -> Void, _ value: (Sprite) -> Double
  ) -> Spread {
    let system = crowd(Self.count, change)
    #expect(system.live == Self.count)
    return Spread(values: system.sprites.map(value))
  }

  @Test func `sizes are uniform, with their mean and range`() {
    let sizes = spread({ ($1.scale, $1.scaleRange) = (3, 2) }) { Double($0.scale) }
    #expect(sizes.unevenness(1, 5) < 5 && abs(sizes.mean - 3) < 0.02)
    let layered = spread({
      ($1.scale, $1.scaleRange) = (3, 2)
      $0.scale = 0.5
    }) { Double($0.scale) }
    #expect(layered.unevenness(0.5, 2.5) < 5)
  }

  @Test func `every color component is uniform, with its mean and range, and is clamped at birth`() {
    let change: (inout Layer, inout Cell) -> Void = {
      $1.color = Color(red: 0.5, green: 0.4, blue: 0.7, alpha: 0.6)
      ($1.redRange, $1.greenRange, $1.blueRange, $1.alphaRange) = (0.5, 0.1, 0.2, 0.3)
    }
    #expect(spread(change) { Double($0.red) }.unevenness(0, 1) < 5)
    #expect(spread(change) { Double($0.green) }.unevenness(0.3, 0.5) < 5)
    #expect(spread(change) { Double($0.blue) }.unevenness(0.5, 0.9) < 5)
    #expect(spread(change) { Double($0.alpha) }.unevenness(0.3, 0.9) < 5)
    let clamped = spread({ $1.redRange = 1 }) { Double($0.red) }
    let whole = clamped.values.filter { $0 == 1 }.count
    #expect(abs(Double(whole) / Double(Self.count) - 0.5) < 0.01 && clamped.values.allSatisfy { 0...1 ~= $0 })
  }

  @Test func `lifetimes are uniform, with their mean and range`() {
    let system = crowd(Self.count) { ($1.lifetime, $1.lifetimeRange) = (10, 3) }
    let all = system.pools[0].all
    let lives = Spread(values: (0..<all.count).map { Double(all.attributes[$0].life) })
    #expect(lives.unevenness(7, 13) < 5 && abs(lives.mean - 10) < 0.02)
  }

  @Test func `spins are uniform, with their mean and range`() {
    let system = crowd(Self.count) {
      ($1.spin, $1.spinRange) = (1, 4)
      $0.spin = 2
    }
    system.step(0.5)
    #expect(Spread(values: system.sprites.map { Double($0.angle) / 0.5 }).unevenness(-6, 10) < 5)
  }

  @Test func `velocities are uniform, and negative ones go backwards`() {
    let system = crowd(Self.count) {
      ($1.velocity, $1.velocityRange) = (100, 300)
      $0.velocity = 0.5
    }
    system.step(1)
    #expect(Spread(values: system.sprites.map { Double($0.x) }).unevenness(-100, 200) < 5)
  }

  @Test(arguments: [(0.5, 1.0), (-1.2, 0.3), (2.0, 6.28), (0.0, 100.0)])
  func `the cone is a fan in the plane, filled uniformly at full speed`(longitude: Double, opening: Double) {
    let system = crowd(Self.count) {
      ($1.velocity, $1.emissionLongitude, $1.emissionRange) = (100, longitude, opening)
    }
    system.step(1)
    let half = min(opening / 2, .pi)
    let sprites = system.sprites
    #expect(sprites.allSatisfy { abs(($0.x * $0.x + $0.y * $0.y).squareRoot() - 100) < 1e-3 && $0.z == 0 })
    let angles = sprites.map { sprite in
      // relative to the middle of the fan
      let (c, s) = (cosine(-longitude), sine(-longitude))
      return arc(
        Double(sprite.x) * s + Double(sprite.y) * c, Double(sprite.x) * c - Double(sprite.y) * s)
    }
    #expect(Spread(values: angles).unevenness(-half - 1e-5, half + 1e-5) < 5)
  }

  @Test func `a latitude raises the whole fan`() {
    let system = crowd(Self.count) {
      ($1.velocity, $1.emissionLatitude, $1.emissionRange) = (100, 0.4, 2 * .pi)
    }
    system.step(1)
    #expect(system.sprites.allSatisfy { abs($0.z - 38.9418) < 1e-3 })
    let flat = Spread(
      values: system.sprites.map { arc(Double($0.y), Double($0.x)) })
    #expect(flat.unevenness(-.pi - 1e-5, .pi + 1e-5) < 5)
  }

  @Test func `with latitudes from the z axis the cone is solid and uniform by solid angle`() {
    let system = crowd(Self.count) {
      $0.latitudes = .fromZ
      ($1.velocity, $1.emissionRange) = (1, 2.0)
    }
    system.step(1)
    let sprites = system.sprites
    #expect(Spread(values: sprites.map { Double($0.z) }).unevenness(0.540302306 - 1e-6, 1 + 1e-6) < 5)
    #expect(
      Spread(values: sprites.map { arc(Double($0.y), Double($0.x)) }).unevenness(-.pi - 1e-5, .pi + 1e-5) < 5)
    let ball = crowd(Self.count) {
      $0.latitudes = .fromZ
      ($1.velocity, $1.emissionRange, $1.emissionLatitude, $1.emissionLongitude) = (1, 2 * .pi, 1, 2)
    }
    ball.step(1)
    for axis in [\Sprite.x, \.y, \.z] {
      #expect(
        Spread(values: ball.sprites.map { Double($0[keyPath: axis]) }).unevenness(-1 - 1e-5, 1 + 1e-5) < 5)
    }
  }

  @Test func `random values are independent of each other and of the previous birth`() {
    let system = crowd(Self.count) {
      $0.shape = .cuboid
      $0.size = Size(width: 100, height: 100)
      $0.depth = 100
      ($1.scaleRange, $1.spinRange, $1.velocityRange, $1.emissionRange) = (1, 1, 1, 1)
      $1.color = Color(red: 0.5, green: 0.5, blue: 0.5, alpha: 0.5)
      ($1.redRange, $1.greenRange, $1.blueRange, $1.alphaRange) = (0.5, 0.5, 0.5, 0.5)
      $1.lifetimeRange = 500
    }
    let sprites = system.sprites
    let all = system.pools[0].all
    var drawn = [\Sprite.x, \.y, \.z, \.scale, \.red, \.green, \.blue, \.alpha].map { path in
      Spread(values: sprites.map { Double($0[keyPath: path]) })
    }
    drawn.append(Spread(values: (0..<all.count).map { Double(all.attributes[$0].life) }))
    drawn.append(Spread(values: (0..<all.count).map { Double(all.attributes[$0].spin) }))
    for (i, a) in drawn.enumerated() {
      for b in drawn[..<i] { #expect(abs(a.correlation(b)) < 0.012) }
      for lag in [1, 2, 256] { #expect(abs(a.correlation(a, lag: lag)) < 0.012) }
      #expect(a.unevenness(a.values.min()!, a.values.max()!) < 5)
    }
    // pairs of neighbors fill a square uniformly
    let x = drawn[0].values.map { $0 / 100 + 0.5 }
    let pairs = zip(x, x.dropFirst()).map { (Double(Int($0 * 32)) + $1) / 32 }
    #expect(Spread(values: pairs).unevenness(0, 1) < 5)
  }
}
